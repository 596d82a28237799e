/** Moves the focus among the rows of a list: the elements that match, from the one that has the focus. */
export function moveFocus(selector: string, step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = all.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const next = all[at === -1 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)];
  next?.focus();
}
