import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from '../../src/contract/search-attributes.js';
import type { ListFacts, Outlook } from '../../src/domain/reservation/index.js';

/** Writes the state to what Temporal shows: current details and search attributes. A value that did not change costs no history event. */
export class Projection {
  /** The value of each search attribute; absent: it was never set. */
  private readonly shown: Record<string, string> = {};

  show({ details, facts }: Outlook): void {
    setCurrentDetails(details);
    const changed = attributePairs(facts).filter(({ key, value }) => this.updateShown(key.name, value));
    if (changed.length > 0) upsertSearchAttributes(changed);
  }

  private updateShown(name: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    if ((this.shown[name] ?? 'null') === text) return false;
    this.shown[name] = text;
    return true;
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
