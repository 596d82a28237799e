/** Most requests of long scans (products of a car's hold, schedules of a reconciliation) in a second. */
const scansPerSecond = 20;

/**
 * What the queues share of the platform's limit: Temporal limits each queue by itself, over all workers.
 * @param perSecond requests a second that the platform takes; undefined: only scans are limited
 */
export function ratesOf(perSecond: number | undefined): {
  scans: number;
  others?: { platform: number; bookings: number };
} {
  if (perSecond === undefined) return { scans: scansPerSecond };
  const scans = Math.min(perSecond / 5, scansPerSecond);
  const bookings = perSecond / 5;
  return { scans, others: { bookings, platform: perSecond - bookings - scans } };
}
