/** One asserted fact: ids, codes and timestamps only (L60). */
export interface Asserted {
  name: string;
  from: string | number;
  to: string | number;
}

export function asserted(by: string, facts: readonly Asserted[]): string {
  const changes = facts.map(({ name, from, to }) => `${name} ${to} (was ${from})`).join(', ');
  return `${by} asserted: ${changes}.`;
}
