import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { reservationWorkflowId } from '../../../contract/names.js';
import type { ReservationView } from '../../../domain/reservation/index.js';
import { backoffMs } from '../../../domain/shared/backoff.js';
import type { CaseFiles } from '../../../store/reservations/case-files.js';
import type { InboxTraces, Traces } from '../../../store/reservations/traces.js';
import { newestAcceptedRun } from '../accepted-run.js';
import { callTemporal } from '../calls.js';
import { isOpenStatus } from '../open-status.js';
import { ReservationEndedError, ReservationNotReadyError } from './errors.js';

/** The state of a reservation whose workflow accepted no call. */
export type Whereabouts =
  /** Its workflow runs now: the call may be repeated. */
  | { kind: 'open' }
  /** Undefined: its workflow has completed, and its case file cannot be read. */
  | { kind: 'closed'; view: ReservationView | undefined }
  /** Its workflow was ended before the reservation was closed; `code` states how. */
  | { kind: 'ended'; code: string }
  | { kind: 'unknown' };

export interface WhereaboutsParts {
  client: Client;
  cases: Pick<CaseFiles, 'view'>;
  inbox: InboxTraces;
  /** Makes the relay poll the inbox at once, in any process. */
  wakeRelay(): void;
}

const describeWithinMs = 1_200;
const pauses = { firstMs: 20, longestMs: 320 };

/**
 * Finds out why no open workflow accepted a call. Waits for acknowledged events that have not reached the workflow yet.
 * @param until gives up waiting at this instant
 * @throws `ReservationNotReadyError` where it still waits then, or is a dead letter; `EngineUnavailableError`
 */
export async function whereabouts(parts: WhereaboutsParts, id: number, until: number): Promise<Whereabouts> {
  for (let reads = 1; ; reads++) {
    const found = await locate(parts, id);
    if (found !== undefined) return found;
    const traces = await parts.inbox.read(id);
    if (!traces.waiting && !traces.sent) return locateByTraces(parts, id, traces);
    if (reads === 1) parts.wakeRelay();
    const pauseMs = backoffMs(reads, pauses);
    if (Date.now() + pauseMs > until) throw new ReservationNotReadyError('waiting');
    // an event may be with its workflow and not be marked yet: only Temporal knows
    await sleep(pauseMs);
  }
}

/** No event is on its way: the traces in the database show whether its workflow ever ran. */
async function locateByTraces(
  parts: WhereaboutsParts,
  id: number,
  { dead, recorded }: Traces,
): Promise<Whereabouts> {
  if (!dead && !recorded) return { kind: 'unknown' };
  // it may have begun since Temporal was read
  const found = await locate(parts, id);
  if (found !== undefined) return found;
  if (!recorded) throw new ReservationNotReadyError('dead-letter');
  return { kind: 'ended', code: 'WORKFLOW_UNKNOWN' };
}

/** Undefined: it has neither a case file nor a workflow. */
async function locate(
  { client, cases }: WhereaboutsParts,
  id: number,
): Promise<Exclude<Whereabouts, { kind: 'unknown' }> | undefined> {
  const view = await cases.view(id);
  if (view !== undefined) return { kind: 'closed', view };
  const newest = () => newestAcceptedRun(client, reservationWorkflowId(id));
  const run = await callTemporal(client, describeWithinMs, newest);
  if (run === undefined || run === null) return undefined;
  if (isOpenStatus(run.status)) return { kind: 'open' };
  if (run.status === 'COMPLETED') return { kind: 'closed', view: await cases.view(id) };
  return { kind: 'ended', code: `WORKFLOW_${run.status}` };
}

/** @throws the error of a reservation whose workflow was ended */
export function refuseEnded(found: Whereabouts): void {
  if (found.kind === 'ended') throw new ReservationEndedError(found.code);
}
