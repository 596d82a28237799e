/** Variables that earlier releases read; their values are fixed now. */
export const removed = [
  'BOOKING_MATCH',
  'CATALOGUE_FRESH',
  'HANDOVER_AMBIGUOUS',
  'HANDOVER_INCOMPLETE',
  'HANDOVER_NOT_ANNOUNCED',
  'HANDOVER_OVERDUE_GRACE',
  'HANDOVER_RUN_EVENTS',
  'PLATFORM_SCAN_RATE',
];

/** A warning where the environment sets variables that this release no longer reads; undefined where it sets none. */
export function removedVariables(env: NodeJS.ProcessEnv): string | undefined {
  const set = removed.filter((name) => (env[name] ?? '').trim() !== '');
  if (set.length === 0) return undefined;
  return `${set.join(', ')}: no longer read, because the value is now fixed; unset what is named here (CHANGELOG.md)`;
}
