import { t } from '../texts/index.js';
import type { Shortcut } from './shortcuts.js';

const hasFocus = (row: Element) => row.contains(document.activeElement);

/** Moves the focus among the rows of a list, from the one that has it: to the next row, or to what `target` finds in it. */
function moveFocus(rows: string, step: 1 | -1, target?: string): void {
  const all = [...document.querySelectorAll<HTMLElement>(rows)];
  const at = all.findIndex(hasFocus);
  const next = all[at === -1 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)];
  const focused = target === undefined ? next : next?.querySelector<HTMLElement>(target);
  focused?.focus();
}

/** The keys that move among the rows of a list: to a row, or to what `target` finds in it. */
export function rowShortcuts(rows: string, target?: string): Shortcut[] {
  return [
    { keys: 'j', name: () => t('shortcuts.nextRow'), run: () => moveFocus(rows, 1, target) },
    { keys: 'k', name: () => t('shortcuts.previousRow'), run: () => moveFocus(rows, -1, target) },
  ];
}

/** Clicks what `target` finds in the row that has the focus. */
export function clickInRow(rows: string, target: string): void {
  const row = [...document.querySelectorAll(rows)].find(hasFocus);
  row?.querySelector<HTMLElement>(target)?.click();
}
