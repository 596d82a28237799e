import type { Client } from '@temporalio/client';
import {
  type AwaitedBooking,
  awaitBookingUpdate,
  type BookingRefusal,
  type BookingResult,
  type BookingStart,
  type ResolveBookingInput,
  resolutionMark,
  resolveBookingUpdate,
} from '../../../contract/booking.js';
import { bookingWorkflow, bookingWorkflowId, taskQueue } from '../../../contract/names.js';
import { keyReused, standingOf } from '../../../domain/shared/idempotency.js';
import type { BookingReads, KnownBooking } from '../../../store/bookings/reads.js';
import { startMarkOf } from '../../../store/sealing/mark.js';
import { callTemporal } from '../calls.js';
import { outcomeWithin, startOnce } from '../once.js';
import { sendUpdateTo } from '../updates.js';
import type { Bookings } from './types.js';

const answerWithinMs = 9_500;
const resolveWithinMs = 8_500;
const startWithinMs = 5_000;
const usualMatchMs = 2 * 60 * 60_000;

export interface BookingOptions {
  reads: BookingReads;
  /** For how long a booking whose answer got lost is looked for among the callbacks (F31), in milliseconds: two hours. */
  matchMs?: number;
  queue?: string;
}

/**
 * Books through a workflow of its own, whose id is the command's: a repeated request books once. Its outcome is in
 * its row, also after Temporal has deleted the workflow (F30).
 */
export function temporalBookings(
  client: Client,
  { reads, matchMs = usualMatchMs, queue = taskQueue }: BookingOptions,
): Bookings {
  /**
   * The row may hold a newer outcome from another run. A booking whose workflow was ended from outside while it was out is
   * reopened: no other process would search for it. A database that is down delays no request.
   */
  const recordedEnd = async (commandId: string) => {
    const known = await reads.find(commandId).catch(() => undefined);
    if (known?.state === 'out') await reopen(client, { reads, matchMs, queue }, commandId);
    return known?.end ?? undefined;
  };
  return {
    async book(given) {
      const start: BookingStart = { ...given, matchMs };
      const { commandId, request } = start;
      const answerBy = Date.now() + answerWithinMs;
      const known = await reads.find(commandId);
      if (standingOf(known, startMarkOf(commandId, request)) === 'other') return { outcome: 'reused' };
      const ended = known === undefined ? undefined : resultOf(known);
      if (ended !== undefined) return ended;
      const workflowId = bookingWorkflowId(commandId);
      const about = { commandId, type: bookingWorkflow, workflowId, queue, request, summary: 'Booking' };
      const run = await startOnce(client, { ...about, input: start });
      if (run === undefined) return { outcome: 'reused' };
      const waiting = { update: awaitBookingUpdate, withinMs: answerBy - Date.now() };
      const answer = await outcomeWithin<AwaitedBooking>(client, { ...run, workflowId }, waiting);
      return answer.outcome === 'unknown' ? ((await recordedEnd(commandId)) ?? answer) : answer;
    },
    list: (filter) => reads.list(filter),
    read: (commandId) => reads.read(commandId),
    async resolve(commandId, input) {
      const known = await reads.find(commandId);
      if (known === undefined) return { kind: 'no-booking' };
      if (known.end !== null) return answerToRepeat(known, input);
      const answer = await sendResolve(client, commandId, input);
      if (answer.kind === 'settled') {
        // Temporal answers an equal update id from the stored result, whatever the body; the update took effect in any case
        const resolved = await reads.find(commandId).catch(() => undefined);
        return resolved?.end ? answerToRepeat(resolved, input) : answer;
      }
      if (answer.kind !== 'not-open') return answer;
      const after = await reads.find(commandId);
      if (after !== undefined && after.end !== null) return answerToRepeat(after, input);
      await reopen(client, { reads, matchMs, queue }, commandId);
      const again = await sendResolve(client, commandId, input);
      return again.kind === 'not-open' ? { kind: 'no-booking' } : again;
    },
  };
}

async function sendResolve(client: Client, commandId: string, input: ResolveBookingInput) {
  const update = { name: resolveBookingUpdate, input, updateId: input.settlementId };
  const answer = await sendUpdateTo<'settled', BookingRefusal>(
    client,
    resolveWithinMs,
    bookingWorkflowId(commandId),
    update,
  );
  return answer.kind === 'answered' ? { kind: 'settled' as const } : answer;
}

/** The same resolution again has the same answer (L21). */
function answerToRepeat({ settlementId, settlementMark, end }: KnownBooking, input: ResolveBookingInput) {
  if (settlementId !== input.settlementId) return { kind: 'refused' as const, refusal: alreadyResolved };
  const reservationId = end?.outcome === 'applied' ? end.reservationId : undefined;
  const wanted = input.outcome === 'applied' ? input.reservationId : undefined;
  // what earlier versions stored has no mark
  const isSameEnd = end?.outcome === input.outcome && reservationId === wanted;
  const standing = standingOf({ mark: settlementMark }, resolutionMark(input));
  return isSameEnd && standing === 'same'
    ? { kind: 'settled' as const }
    : { kind: 'refused' as const, refusal: keyReused() };
}

const alreadyResolved: BookingRefusal = {
  code: 'BOOKING_SETTLED',
  message: 'What became of the booking is already known.',
};

/** Its workflow was ended from outside, or deleted: another one continues with its row, and sends nothing (F30). */
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
      memo: { request: startMarkOf(commandId, request) },
      staticSummary: 'Booking',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  );
}

/** The outcome that the row alone shows; undefined: none yet. */
function resultOf({ end, state, code }: KnownBooking): BookingResult | undefined {
  if (end !== null) return end;
  return state === 'out' ? undefined : { outcome: 'unknown', code: code ?? 'ATTEMPT_LOST' };
}
