import type { Client } from '@temporalio/client';
import {
  type Command,
  commandIdReused,
  type Refusal,
  type ReservationView,
} from '../../../domain/reservation/index.js';
import { isClosed } from '../../../domain/reservation/refusals.js';
import { markOf, standingOf } from '../../../domain/shared/idempotency.js';
import type { CaseFiles } from '../../../store/reservations/case-files.js';
import type { Update } from '../updates.js';
import type { ActionReply, DecisionAnswer } from './types.js';
import { knownAnswer, viewOf, viewOfEnded } from './view.js';
import { refuseEnded, type Whereabouts } from './whereabouts.js';

interface ClosedParts {
  client: Client;
  cases: Pick<CaseFiles, 'decisionMarks'>;
  within: { readAgain: number };
}

type NotOpen = Exclude<Whereabouts, { kind: 'open' }>;

/** A closed reservation accepts no action, but still answers the repeat of a known one (L21). */
export async function actOnClosed(
  parts: ClosedParts,
  id: number,
  command: Command,
  found: NotOpen,
): Promise<ActionReply> {
  const closed = await closedView(parts, id, found);
  if (closed === undefined) return answerNotOpen(found);
  const answer = await knownAnswer(closed, () => parts.cases.decisionMarks(id), command);
  return answer ?? answerNotOpen(found);
}

/** A closed reservation still answers the repeat of a known decision (L21). */
export async function repeatOnClosed(
  parts: ClosedParts,
  id: number,
  { name, input }: Update,
  requestId: string,
  found: NotOpen,
): Promise<DecisionAnswer | undefined> {
  const marks = await parts.cases.decisionMarks(id);
  const known = marks.find(({ key }) => key === requestId);
  const standing = standingOf(known, markOf(name, input));
  if (standing === 'new') return undefined;
  if (standing === 'other') return { kind: 'refused', refusal: commandIdReused() };
  const reservation = await closedView(parts, id, found);
  return reservation && { kind: 'settled', reservation };
}

/** The view of a reservation whose workflow is not open. An ended one has no case file, and may still answer queries. */
async function closedView(
  { client, within }: ClosedParts,
  id: number,
  found: NotOpen,
): Promise<ReservationView | undefined> {
  if (found.kind === 'unknown') return undefined;
  if (found.kind === 'ended') return viewOfEnded(client, id, within.readAgain);
  return found.view ?? viewOf(client, id, within.readAgain);
}

/** The answer where no open workflow accepts a call: the reservation is closed, or unknown. */
export function answerNotOpen(
  found: NotOpen,
): { kind: 'no-reservation' } | { kind: 'refused'; refusal: Refusal } {
  refuseEnded(found);
  return found.kind === 'unknown' ? { kind: 'no-reservation' } : { kind: 'refused', refusal: isClosed() };
}
