import type { HoldRequest } from '../../domain/hold/index.js';
import type { HoldProposal } from '../../domain/reservation/index.js';
import { second } from '../../domain/shared/time.js';
import type { KnownHold } from '../../temporal/client/holds/types.js';
import type { ApiDeps } from '../deps.js';
import { Problem } from '../http/problem.js';

type Wish = Omit<HoldRequest, 'holdId' | 'by' | 'mark'>;

/**
 * F14: the hold that a reservation proposes; accepted later than it was proposed, it starts then and is as long. A
 * second request finds the first.
 * @param known the hold that was made of it, where there is one: its proposal may be gone by then
 * @throws `Problem` PROPOSAL_NOT_FOUND, PROPOSAL_GONE
 */
export async function proposedHold(
  { reservations }: Pick<ApiDeps, 'reservations'>,
  proposalId: string,
  known: KnownHold | undefined,
): Promise<Wish> {
  const reservationId = Number(/\d+$/.exec(proposalId)?.[0]);
  const fixed = { reservationId, withdrawFromSale: false };
  if (known !== undefined) {
    const { carId } = known;
    return { ...fixed, carId, reason: known.reason, period: { start: 0, end: 0 } };
  }
  const reservation = await reservations.view(reservationId);
  if (reservation === undefined) {
    throw new Problem('PROPOSAL_NOT_FOUND', `Reservation ${reservationId} is not known here.`);
  }
  const proposal = reservation.proposals.find((one) => one.proposalId === proposalId);
  if (proposal === undefined) {
    throw new Problem(
      'PROPOSAL_GONE',
      `Reservation ${reservationId} proposes no such hold, or no longer: the car is back, or the task is done. Make a hold with carId, startAt and endAt where one is needed all the same.`,
    );
  }
  const { carId, reason } = proposal;
  return { ...fixed, carId, reason, period: fromNow(proposal) };
}

/** The next entry of the car ends it, unless that has begun: then the platform refuses it. */
function fromNow({ startAt, endAt, noLaterThan }: HoldProposal): Wish['period'] {
  const [start, end] = [startAt, endAt].map((at) => Date.parse(at)) as [number, number];
  const begin = Math.max(start, Math.floor(Date.now() / second) * second);
  const limit = noLaterThan === undefined ? 0 : Date.parse(noLaterThan);
  const planned = begin + (end - start);
  return { start: begin, end: limit > begin ? Math.min(planned, limit) : planned };
}
