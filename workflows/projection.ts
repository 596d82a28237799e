import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from '../src/contract/search-attributes.js';
import { details, type ListFacts, listFacts, type ReservationState } from '../src/lifecycle/index.js';

/** Keeps what lists and Temporal UI show in step with the state; an unchanged fact costs no history event. */
export class Projection {
  private shown = '';

  show(state: ReservationState, now: number): void {
    setCurrentDetails(details(state, now));
    const facts = listFacts(state);
    const key = JSON.stringify(facts);
    if (key === this.shown) return;
    this.shown = key;
    upsertSearchAttributes(attributePairs(facts));
  }
}

function attributePairs(facts: ListFacts): SearchAttributeUpdatePair[] {
  return [
    { key: searchAttributes.status, value: facts.status },
    { key: searchAttributes.carId, value: facts.carId },
    { key: searchAttributes.companyId, value: facts.companyId },
    { key: searchAttributes.start, value: facts.period === null ? null : new Date(facts.period.start) },
    { key: searchAttributes.end, value: facts.period === null ? null : new Date(facts.period.end) },
    { key: searchAttributes.attention, value: facts.attention },
  ] as SearchAttributeUpdatePair[];
}
