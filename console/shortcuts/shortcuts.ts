import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Text } from '../texts/index.js';

export interface Shortcut {
  /** One key, or two in a row (`g n`), as `KeyboardEvent.key` names them; `Ctrl+k` also stands for ⌘K. */
  keys: string;
  /** What it does, for the list. */
  text: Text;
  values?: () => Record<string, string>;
  run(): void;
}

const registered = signal<readonly Shortcut[]>([]);
export const shortcuts = registered;

/** The shortcuts of a screen, for as long as it is shown. Those registered last come first. */
export function useShortcuts(list: readonly Shortcut[]): void {
  useEffect(() => {
    registered.value = [...list, ...registered.peek()];
    return () => {
      registered.value = registered.peek().filter((one) => !list.includes(one));
    };
  }, [list]);
}

/** How long the second key of two may take. */
const secondKeyWithinMs = 1_200;
let first: { key: string; at: number } | null = null;

export function startShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const hasControl = event.ctrlKey || event.metaKey;
    if (!hasControl && (isTyping(event.target) || document.querySelector('dialog[open]'))) return;
    const key = hasControl ? `Ctrl+${event.key.toLowerCase()}` : event.key;
    const started =
      first !== null && Date.now() - first.at < secondKeyWithinMs ? `${first.key} ${key}` : null;
    const found =
      shortcuts.value.find(({ keys }) => keys === started) ??
      shortcuts.value.find(({ keys }) => keys === key);
    first = found === undefined && !hasControl ? { key, at: Date.now() } : null;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
