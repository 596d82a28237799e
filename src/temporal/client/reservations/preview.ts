import type { Client } from '@temporalio/client';
import { reservationWorkflowId } from '../../../contract/names.js';
import { type PreviewInput, previewQuery } from '../../../contract/reservation.js';
import {
  type EventPreview,
  newReservation,
  type Policy,
  previewEvents,
  type ReservationEvent,
} from '../../../domain/reservation/index.js';
import { newestAcceptedRun } from '../accepted-run.js';
import { callTemporal } from '../calls.js';
import { isOpenStatus } from '../open-status.js';
import { queryTemporal } from '../query.js';

/** The effect of events on a reservation. */
type Preview =
  | { kind: 'preview'; answers: EventPreview[] }
  /** It accepts none any more (L08). */
  | { kind: 'closed' }
  /** Its workflow was terminated, or failed; `code` states which. */
  | { kind: 'refused'; code: string };

const withinMs = 5_000;

/**
 * Queries a reservation's workflow; an unknown reservation is previewed as a new one. Nothing is started, sent or
 * stored. Throws (the returned function) `EngineUnavailableError`.
 */
export function temporalPreview(client: Client, { policy }: { policy: Policy }) {
  return async (
    reservationId: number,
    events: ReservationEvent[],
    { hasCaseFile, now }: { hasCaseFile: boolean; now: number },
  ): Promise<Preview> => {
    const workflowId = reservationWorkflowId(reservationId);
    const found = await callTemporal(client, withinMs, () => newestAcceptedRun(client, workflowId));
    if (found === undefined || found === null) {
      if (hasCaseFile) return { kind: 'closed' };
      return {
        kind: 'preview',
        answers: previewEvents(newReservation(reservationId, policy, now), events, now),
      };
    }
    const { status } = found;
    if (status === 'COMPLETED') return { kind: 'closed' };
    if (!isOpenStatus(status)) return { kind: 'refused', code: `WORKFLOW_${status}` };
    const input: PreviewInput = { events, now };
    const query = { workflowId, name: previewQuery, args: [input] };
    const answers = await queryTemporal<EventPreview[]>(client, withinMs, query);
    return answers === undefined ? { kind: 'closed' } : { kind: 'preview', answers };
  };
}
