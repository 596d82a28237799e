import type { Client } from '@temporalio/client';
import {
  type Command,
  commandIdReused,
  commandKey,
  type Refusal,
  type ReservationView,
} from '../../../domain/reservation/index.js';
import { markOf, type Standing, standingOf } from '../../../domain/shared/idempotency.js';
import type { CaseFiles } from '../../../store/reservations/case-files.js';
import type { Update } from '../updates.js';
import type { ActionAnswer, DecisionAnswer } from './types.js';
import { standing, viewOf } from './view.js';
import { refuseEnded, type Whereabouts } from './whereabouts.js';

interface ClosedParts {
  client: Client;
  cases: Pick<CaseFiles, 'decisionMarks'>;
  within: { readAgain: number };
}

type NotOpen = Exclude<Whereabouts, { kind: 'open' }>;

/** A closed reservation accepts no action, and still answers one that it knows (L21). */
export async function actOnClosed(
  parts: ClosedParts,
  id: number,
  { commandId, action, body }: Command,
  found: NotOpen,
): Promise<ActionAnswer> {
  const closed = await closedView(parts, id, found);
  const repeated = standing(closed, commandId);
  if (repeated?.kind === 'answered' && repeated.command.action === action) {
    const standing = await standingOnClosed(parts, id, commandKey(commandId), markOf(action, body));
    return standing === 'other' ? { kind: 'refused', refusal: commandIdReused() } : repeated;
  }
  return unopened(found);
}

/** A closed reservation still answers a resolution that it knows (L21). */
export async function repeatedOnClosed(
  parts: ClosedParts,
  id: number,
  { name, input }: Update,
  requestId: string,
  found: NotOpen,
): Promise<DecisionAnswer | undefined> {
  const standing = await standingOnClosed(parts, id, requestId, markOf(name, input));
  if (standing === 'new') return undefined;
  if (standing === 'other') return { kind: 'refused', refusal: commandIdReused() };
  const reservation = await closedView(parts, id, found);
  return reservation && { kind: 'settled', reservation };
}

/** By the case file. */
async function standingOnClosed(
  { cases }: ClosedParts,
  id: number,
  key: string,
  mark: string,
): Promise<Standing> {
  const marks = await cases.decisionMarks(id);
  return standingOf(
    marks.find((known) => known.key === key),
    mark,
  );
}

/** Of a reservation whose workflow is not open: one that was ended has no case file, and may still answer. */
async function closedView(
  { client, within }: ClosedParts,
  id: number,
  found: NotOpen,
): Promise<ReservationView | undefined> {
  if (found.kind === 'unknown') return undefined;
  return (found.kind === 'closed' && found.view) || viewOf(client, id, within.readAgain);
}

/** No open workflow takes it: the reservation is closed, and not to be started again, or it is unknown. */
export function unopened(found: NotOpen): { kind: 'no-reservation' } | { kind: 'refused'; refusal: Refusal } {
  refuseEnded(found);
  return found.kind === 'unknown' ? { kind: 'no-reservation' } : { kind: 'refused', refusal: isClosed };
}

const isClosed: Refusal = {
  code: 'RESERVATION_TERMINAL',
  message: 'The reservation is closed; nothing can be done about it any more.',
  overridable: false,
};
