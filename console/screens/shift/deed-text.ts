import type { ActivityEntry } from '../../api/types.js';
import { t, textOf } from '../../texts/index.js';
import { outcomeOf } from './items.js';

/** An action of a reservation has its own text. */
export function deedText(action: string): string {
  if (action.endsWith('.read')) return t('done.read');
  const text = textOf('action', action);
  return text === action ? textOf('done', action) : text;
}

/** A command's last known outcome; empty where a deed has none. */
export function outcomeText(entry: Pick<ActivityEntry, 'id' | 'data'>): string {
  const outcome = outcomeOf(entry);
  return outcome === null ? '' : outcome === 'open' ? t('shift.noOutcome') : textOf('command', outcome);
}
