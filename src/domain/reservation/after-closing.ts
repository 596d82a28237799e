import type { Instant } from '../shared/time.js';
import { lateEventAlert } from './messages/alerts.js';
import { message } from './messages/message.js';
import { canBothBeTrue, isKnownStatus, isTerminal } from './statuses.js';
import type { NewEntry } from './timeline.js';
import type { Policy, ReservationEvent } from './types.js';

/**
 * The entry about an event that came after its reservation was closed (L08). The case file stays as it is; where the
 * event and the end cannot both be true, operations are alerted.
 *
 * @param closed which reservation, and the status in its case file: null where there is none
 */
export function afterClosing(
  event: ReservationEvent,
  closed: { reservationId: number; status: number | null },
  fromStates: Policy['fromStates'],
  now: Instant,
): NewEntry {
  const { channel, status = null, inboxId, replay } = event;
  const reading = { inboxId, ...(replay !== undefined && { replay }) };
  const { status: ended, reservationId } = closed;
  const entry = {
    kind: 'event' as const,
    rule: 'L08',
    data: { ...reading, verdict: 'after-terminal', status },
  };
  const late = (contradicted: number | null) =>
    message('event.late', { channel, status, replayed: replay !== undefined, ended: contradicted });
  if (
    status === null ||
    ended === null ||
    !isKnownStatus(status) ||
    canBothBeTrue(fromStates, status, ended)
  ) {
    return { ...entry, messages: [late(null)] };
  }
  const kind = isTerminal(status) ? 'conflict' : 'terminal-contradiction';
  const alert = lateEventAlert(kind, reservationId, status, ended);
  const attention = { kind, change: 'raised', since: now, alert } as const;
  return { ...entry, messages: [late(ended)], attention };
}
