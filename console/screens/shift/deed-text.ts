import { t, textOf } from '../../texts/index.js';

/** An action of a reservation has its own text. */
export function deedText(action: string): string {
  if (action.endsWith('.read')) return t('done.read');
  const text = textOf('action', action);
  return text === action ? textOf('done', action) : text;
}
