/** Variables that earlier releases read, and the value that is fixed now. */
export const removed = {
  BOOKING_MATCH: '2 hours',
  CATALOGUE_FRESH: '1 minute',
  HANDOVER_AMBIGUOUS: '24 hours',
  HANDOVER_INCOMPLETE: '10 minutes',
  HANDOVER_NOT_ANNOUNCED: '10 minutes',
  HANDOVER_OVERDUE_GRACE: '3 minutes',
  HANDOVER_RUN_EVENTS: '1,000 history events',
  PLATFORM_SCAN_RATE: '20 requests a second',
};

/** A warning where the environment sets variables that this release no longer reads; undefined where it sets none. */
export function removedVariables(env: NodeJS.ProcessEnv): string | undefined {
  const set = Object.entries(removed).filter(([name]) => (env[name] ?? '').trim() !== '');
  if (set.length === 0) return undefined;
  const fixed = set.map(([name, value]) => `${name} (now ${value})`).join(', ');
  return `no longer read, because the value is now fixed: ${fixed}; unset them (CHANGELOG.md)`;
}
