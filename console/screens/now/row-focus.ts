const rows = () => [...document.querySelectorAll<HTMLElement>('.board .board-row')];

/** Moves the focus from row to row, through all lanes. */
export function moveFocus(step: 1 | -1): void {
  const all = rows();
  const at = all.findIndex((row) => row.contains(document.activeElement));
  const next = all[at === -1 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)];
  next?.querySelector<HTMLElement>('a.plate-link')?.focus();
}

/** Clicks something of the row that has the focus. */
export function onFocused(selector: string): void {
  const row = rows().find((one) => one.contains(document.activeElement));
  row?.querySelector<HTMLElement>(selector)?.click();
}
