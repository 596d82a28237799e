import type { Alerts } from '../alerts/alerts.js';
import { undiscoveredReservations } from '../alerts/messages.js';
import type { HandoverDb } from '../db/handover.js';
import { countUndiscovered } from './findings.js';

/** F48: one alert while entries of the schedule are nobody's, with their count. @param at an instant */
export async function alertOfUndiscovered(
  db: HandoverDb,
  alerts: Pick<Alerts, 'raise' | 'clear' | 'reword'>,
  at: number,
): Promise<void> {
  const alert = { kind: 'undiscovered-reservations', subject: '' } as const;
  const count = await countUndiscovered(db);
  if (count === 0) {
    await alerts.clear({ ...alert, at });
    return;
  }
  const message = undiscoveredReservations(count);
  const isNew = await alerts.raise({ ...alert, message, at });
  if (!isNew) await alerts.reword({ ...alert, message });
}
