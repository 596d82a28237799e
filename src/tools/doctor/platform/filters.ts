import { knows } from '../../../platform/needed.js';
import { createCheck, type Finding, type GapId } from '../finding.js';
import type { Platform } from './ask.js';
import { checkList, type Read } from './lists.js';

/** A filter that selects (G22, G23): it finds some of all, the wanted one among them. */
interface Filter<T> {
  gap: GapId;
  name: keyof T & string;
  /** What is unique to each. */
  id: (item: T) => number;
}

export async function* checkFilter<T extends object>(
  platform: Platform,
  { title, query, ...read }: Read,
  { gap, name, id }: Filter<T>,
  all: readonly T[],
): AsyncGenerator<Finding> {
  const first = all.find((item) => knows(item, name));
  if (first === undefined || all.every((item) => item[name] === first[name])) return;
  const check = createCheck('wire profile', `${title}?${name}=`, { gaps: [gap] });
  const filteredRead = { ...read, title, query: { ...query, [name]: first[name] } };
  const items = await discardFindings(checkList<T>(platform, filteredRead));
  const isThere = items.some((item) => id(item) === id(first));
  if (isThere && items.length < all.length) yield check.ok('finds it');
  else yield check.warn(isThere ? 'the filter is not heeded' : 'it is not found by its own value');
}

/** What a read returns, where another check has reported how it fits. */
export async function discardFindings<T>(findings: AsyncGenerator<Finding, T[]>): Promise<T[]> {
  for (;;) {
    const step = await findings.next();
    if (step.done) return step.value;
  }
}
