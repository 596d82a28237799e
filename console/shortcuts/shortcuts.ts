import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Shortcut {
  /** One key, or two in a row (`g n`), as `KeyboardEvent.key` names them; `Control+k` also stands for ⌘K. */
  keys: string;
  /** What it does, for the list. */
  name(): string;
  run(): void;
}

const shortcuts = signal<readonly Shortcut[]>([]);

/** What each key does now: of a button its click, else what the screen, or every screen, does. */
export function listShortcuts(): readonly Shortcut[] {
  const all = [...ofElements(), ...shortcuts.value];
  return all.filter(({ keys }, at) => all.findIndex((one) => one.keys === keys) === at);
}

/** Buttons and links that state their key (`aria-keyshortcuts`); of several, the one in the row that has the focus, else the first. */
function ofElements(): Shortcut[] {
  const row = document.activeElement?.closest('li');
  const all = [...document.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')];
  return [...all.filter((one) => row?.contains(one)), ...all].map((one) => ({
    keys: one.getAttribute('aria-keyshortcuts') ?? '',
    name: () => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? '',
    run() {
      one.focus();
      one.click();
    },
  }));
}

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
    // the browser closes what is open
    if (event.key === 'Escape' && document.querySelector(':popover-open')) return;
    const key = hasControl ? `Control+${keyOf(event)}` : keyOf(event);
    const started =
      first !== null && Date.now() - first.at < secondKeyWithinMs ? `${first.key} ${key}` : null;
    const all = listShortcuts();
    const found = all.find(({ keys }) => keys === started) ?? all.find(({ keys }) => keys === key);
    first = found === undefined && !hasControl ? { key, at: Date.now() } : null;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}

/** Of a letter the one that the key has on Latin keyboards: with another layout, such as the Korean one, or `Caps Lock` it names another. */
function keyOf({ key, code }: KeyboardEvent): string {
  return /^Key.$/.test(code) && !/^[a-z]$/.test(key) ? code.slice(3).toLowerCase() : key;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
