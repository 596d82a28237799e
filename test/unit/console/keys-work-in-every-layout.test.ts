import { beforeEach, expect, it, vi } from 'vitest';
import { loadModules, stubPage } from '../../support/page.js';

/** One press as a browser reports it. */
type Press = Partial<Record<'key' | 'code', string>> & { ctrlKey?: boolean };

let ran: string[];
let isMenuOpen: boolean;
let press: (press: Press) => boolean;
beforeEach(async () => {
  ran = [];
  isMenuOpen = false;
  const page = new EventTarget();
  stubPage({
    HTMLElement: class {},
    addEventListener: page.addEventListener.bind(page),
  });
  const { document } = globalThis as never as { document: object };
  Object.assign(document, {
    querySelector: (selector: string) => (selector === ':popover-open' && isMenuOpen ? {} : null),
    querySelectorAll: () => [],
  });
  const effects: (() => void)[] = [];
  vi.doMock('preact/hooks', () => ({ useEffect: (run: () => void) => effects.push(run) }));
  const [{ startShortcuts, useShortcuts }] = await loadModules('console/shortcuts/shortcuts.ts');
  const shortcut = (keys: string) => ({ keys, name: () => keys, run: () => ran.push(keys) });
  useShortcuts(['n', 'g c', 'Control+k', 'Escape', '/'].map(shortcut));
  for (const run of effects) run();
  startShortcuts();
  press = (pressed) => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), pressed);
    page.dispatchEvent(event);
    return event.defaultPrevented;
  };
});

it.each<[string, Press[], string[]]>([
  ['Latin', [{ key: 'n', code: 'KeyN' }], ['n']],
  ['Korean', [{ key: 'ㅜ', code: 'KeyN' }], ['n']],
  ['while text is composed in Korean', [{ key: 'Process', code: 'KeyN' }], ['n']],
  ['Caps Lock', [{ key: 'N', code: 'KeyN' }], ['n']],
  [
    'two keys, Korean',
    [
      { key: 'ㅎ', code: 'KeyG' },
      { key: 'ㅊ', code: 'KeyC' },
    ],
    ['g c'],
  ],
  ['Control, Korean', [{ key: 'ㅏ', code: 'KeyK', ctrlKey: true }], ['Control+k']],
  // the letter that is written on the key counts
  ['AZERTY', [{ key: 'a', code: 'KeyQ' }], []],
  ['a key that is no letter', [{ key: '/', code: 'Slash' }], ['/']],
])('%s', (_, pressed, expected) => {
  for (const one of pressed) press(one);
  expect(ran).toEqual(expected);
});

it('Escape closes an open menu, and nothing else', () => {
  isMenuOpen = true;
  expect(press({ key: 'Escape', code: 'Escape' })).toBe(false);
  expect(ran).toEqual([]);
  isMenuOpen = false;
  press({ key: 'Escape', code: 'Escape' });
  expect(ran).toEqual(['Escape']);
});
