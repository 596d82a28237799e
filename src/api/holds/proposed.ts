import type { HoldRequest } from '../../domain/hold/index.js';
import type { HoldProposal } from '../../domain/reservation/index.js';
import { second } from '../../domain/shared/time.js';
import type { KnownHold } from '../../temporal/client/holds/types.js';
import type { ApiDeps } from '../deps.js';
import { Problem } from '../http/problem.js';
import { message } from '../messages/message.js';

type Wish = Omit<HoldRequest, 'holdId' | 'by' | 'mark'>;

/**
 * F14: the hold that a reservation proposes. Accepted later than proposed, it starts then with the same length. A
 * second request finds the hold of the first.
 * @param known the hold that was made of the proposal, if any: the proposal may be gone by then
 * @throws `Problem` PROPOSAL_NOT_FOUND, PROPOSAL_GONE
 */
export async function readProposedHold(
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
    throw new Problem('PROPOSAL_NOT_FOUND', message('api.proposal-unknown', { reservationId }));
  }
  const proposal = reservation.proposals.find((one) => one.proposalId === proposalId);
  if (proposal === undefined) {
    throw new Problem('PROPOSAL_GONE', message('api.proposal-gone', {}));
  }
  const { carId, reason } = proposal;
  return { ...fixed, carId, reason, period: periodFromNow(proposal) };
}

/** Ends the hold at the car's next entry; where that has begun, the platform refuses the hold. */
function periodFromNow({ startAt, endAt, noLaterThan }: HoldProposal): Wish['period'] {
  const [start, end] = [startAt, endAt].map((at) => Date.parse(at)) as [number, number];
  const begin = Math.max(start, Math.floor(Date.now() / second) * second);
  const limit = noLaterThan === undefined ? 0 : Date.parse(noLaterThan);
  const planned = begin + (end - start);
  return { start: begin, end: limit > begin ? Math.min(planned, limit) : planned };
}
