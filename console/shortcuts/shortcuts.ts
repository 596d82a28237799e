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

export const shortcuts = signal<readonly Shortcut[]>([]);

/** The shortcuts of a screen, for as long as it is shown. They come before those of every screen. */
export function useShortcuts(list: readonly Shortcut[], of: 'screen' | 'everyScreen' = 'screen'): void {
  useEffect(() => {
    const others = shortcuts.peek();
    shortcuts.value = of === 'screen' ? [...list, ...others] : [...others, ...list];
    return () => {
      shortcuts.value = shortcuts.peek().filter((one) => !list.includes(one));
    };
  }, [list, of]);
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
