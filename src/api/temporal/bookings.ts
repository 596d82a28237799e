import type { Client } from '@temporalio/client';
import type { BookingReads, KnownBooking } from '../../bookings/reads.js';
import {
  type BookingRefusal,
  type BookingResult,
  type BookingStart,
  type ResolveBookingInput,
  resolveBookingUpdate,
} from '../../contract/booking.js';
import { bookingWorkflow, bookingWorkflowId, taskQueue } from '../../contract/names.js';
import { markOf } from '../../sealing/mark.js';
import type { Bookings } from '../deps.js';
import { callTemporal } from './calls.js';
import { resultWithin, startOnce } from './once.js';
import { sendUpdateTo } from './updates.js';

const answerWithinMs = 9_500;
const settleWithinMs = 8_500;
const startWithinMs = 5_000;
/** How often the row is asked whether the answer got lost: the workflow goes on then. */
const lookEveryMs = 250;

export interface BookingOptions {
  reads: BookingReads;
  /** For how long a lost booking is looked for. */
  matchMs: number;
  queue?: string;
}

/**
 * Books through a workflow of its own, whose id is the command's: pressing twice books once. What became of it stands in
 * its row, also when Temporal has forgotten the workflow (F30).
 */
export function temporalBookings(
  client: Client,
  { reads, matchMs, queue = taskQueue }: BookingOptions,
): Bookings {
  /** One whose workflow was ended from outside while it was out: nobody else would ever look for it. */
  const reopenEnded = async (commandId: string) => {
    const known = await reads.find(commandId);
    if (known?.state === 'out') await reopen(client, { reads, matchMs, queue }, commandId);
  };
  return {
    async book(given) {
      const start: BookingStart = { ...given, matchMs };
      const { commandId, request } = start;
      const answerBy = Date.now() + answerWithinMs;
      const known = await reads.find(commandId);
      if (known !== undefined && known.mark !== markOf(commandId, request)) return { outcome: 'reused' };
      const settled = known === undefined ? undefined : told(known);
      if (settled !== undefined) return settled;
      const workflowId = bookingWorkflowId(commandId);
      const about = { commandId, type: bookingWorkflow, workflowId, queue, request, summary: 'Booking' };
      if (!(await startOnce(client, { ...about, input: start }))) return { outcome: 'reused' };
      const over = new AbortController();
      const waiting = { withinMs: answerBy - Date.now(), over: over.signal };
      const result = resultWithin<BookingResult>(client, workflowId, waiting);
      const answer = await Promise.race([result, lost(reads, commandId, over.signal)]).finally(() =>
        over.abort(),
      );
      if (answer.outcome === 'unknown') await reopenEnded(commandId);
      return answer;
    },
    list: (filter) => reads.list(filter),
    read: (commandId) => reads.read(commandId),
    async resolve(commandId, input) {
      const known = await reads.find(commandId);
      if (known === undefined) return { kind: 'no-booking' };
      if (known.end !== null) return settledBefore(known, input);
      const answer = await sendResolve(client, commandId, input);
      if (answer.kind !== 'not-open') return answer;
      const after = await reads.find(commandId);
      if (after !== undefined && after.end !== null) return settledBefore(after, input);
      await reopen(client, { reads, matchMs, queue }, commandId);
      const again = await sendResolve(client, commandId, input);
      return again.kind === 'not-open' ? { kind: 'no-booking' } : again;
    },
  };
}

/** What can be said of a booking without asking its workflow. */
function told({ end, state, code }: KnownBooking): BookingResult | undefined {
  if (end !== null) return end;
  return state === 'out' ? undefined : { outcome: 'unknown', code: code ?? 'ATTEMPT_LOST' };
}

/** Resolves when the row says that the answer got lost. A database that is away holds nobody up: then the result tells. */
function lost(reads: BookingReads, commandId: string, over: AbortSignal): Promise<BookingResult> {
  return new Promise((resolve) => {
    const look = async () => {
      const known = await reads.find(commandId).catch(() => undefined);
      const result = known === undefined ? undefined : told(known);
      if (result !== undefined) resolve(result);
    };
    const looking = setInterval(look, lookEveryMs);
    over.addEventListener('abort', () => clearInterval(looking));
  });
}

async function sendResolve(client: Client, commandId: string, input: ResolveBookingInput) {
  const update = { name: resolveBookingUpdate, input, updateId: input.settlementId };
  const answer = await sendUpdateTo<'settled', BookingRefusal>(
    client,
    settleWithinMs,
    bookingWorkflowId(commandId),
    update,
  );
  return answer.kind === 'answered' ? { kind: 'settled' as const } : answer;
}

/** The same press again has the same answer. */
function settledBefore({ settlementId }: KnownBooking, { settlementId: pressed }: ResolveBookingInput) {
  if (settlementId === pressed) return { kind: 'settled' as const };
  const message = 'What became of the booking is already known.';
  return { kind: 'refused' as const, refusal: { code: 'BOOKING_SETTLED' as const, message } };
}

/** Its workflow was ended from outside, or forgotten: another one goes on with its row, and sends nothing (F30). */
async function reopen(
  client: Client,
  { reads, matchMs, queue }: Required<BookingOptions>,
  commandId: string,
): Promise<void> {
  const detail = await reads.read(commandId);
  if (detail === undefined || detail.request === null) return;
  const { by, request } = detail;
  const start: BookingStart = { commandId, by, request, matchMs };
  await callTemporal(client, startWithinMs, () =>
    client.workflow.start(bookingWorkflow, {
      taskQueue: queue,
      workflowId: bookingWorkflowId(commandId),
      args: [start],
      memo: { request: markOf(commandId, request) },
      staticSummary: 'Booking',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  );
}
