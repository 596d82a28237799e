import { openAttention } from './attention.js';
import { belief } from './belief.js';
import type { ReservationState } from './state.js';
import type { ListFacts } from './types.js';

/** What lists show; goes to the search attributes (no personal data, L60). */
export function listFacts(state: ReservationState, { status, facts } = belief(state)): ListFacts {
  return {
    status: status.code,
    carId: facts.car?.value.id ?? null,
    companyId: facts.company?.value.id ?? null,
    period: facts.period?.value ?? null,
    attention: openAttention(state).map(({ kind }) => kind),
  };
}
