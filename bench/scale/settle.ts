/** Length of one look, and how many are compared with as many before them. */
export const lookMs = 10_000;
const compared = 6;
const mostLooks = 120;
/** What counts as the same use, and as none whatever came before (cores). */
const share = 0.8;
const nothing = 0.05;

/**
 * Whether what the processes use (cores, one figure per look, in order) stays as it is for two minutes: what an opening leaves to do (visibility,
 * statistics and cleaning of the databases, rounds over all open reservations) is done, as far as that can be seen. After 20 minutes it is taken as it is.
 */
export function isSettled(cores: readonly number[]): boolean {
  if (cores.length >= mostLooks) return true;
  if (cores.length < 2 * compared) return false;
  const last = mean(cores.slice(-compared));
  const before = mean(cores.slice(-2 * compared, -compared));
  return last <= nothing || (last >= share * before && last <= before / share);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
