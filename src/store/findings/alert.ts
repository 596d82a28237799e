import type { Alerts } from '../alerts/alerts.js';
import { message } from '../alerts/messages/message.js';
import type { HandoverDb } from '../handover.js';
import { countUndiscovered } from './findings.js';

/** F48: one alert while entries of the schedule have no reservation, with their count. @param at an instant
 * @param raises false: only rewords or clears an open alert */
export async function alertOfUndiscovered(
  db: HandoverDb,
  alerts: Pick<Alerts, 'raise' | 'clear' | 'reword'>,
  at: number,
  { raises = true }: { raises?: boolean } = {},
): Promise<void> {
  const alert = { kind: 'undiscovered-reservations', subject: '' } as const;
  const count = await countUndiscovered(db);
  if (count === 0) {
    await alerts.clear({ ...alert, at });
    return;
  }
  const text = { ...alert, message: message('alert.undiscovered-reservations', { count }) };
  const isNew = raises && (await alerts.raise({ ...text, at }));
  if (!isNew) await alerts.reword(text);
}
