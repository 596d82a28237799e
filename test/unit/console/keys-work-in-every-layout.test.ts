import { beforeEach, expect, it, vi } from 'vitest';
import { loadModules, stubPage } from '../../support/page.js';

/** One key as a browser reports it. */
type Typed = Partial<Record<'key' | 'code', string>> & { ctrlKey?: boolean };

let ran: string[];
let isMenuOpen: boolean;
let typeKey: (type: Typed) => boolean;
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
  typeKey = (typed) => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), typed);
    page.dispatchEvent(event);
    return event.defaultPrevented;
  };
});

it.each<[string, Typed[], string[]]>([
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
])('%s', (_, typed, expected) => {
  for (const one of typed) typeKey(one);
  expect(ran).toEqual(expected);
});

it('Escape closes an open menu, and nothing else', () => {
  isMenuOpen = true;
  expect(typeKey({ key: 'Escape', code: 'Escape' })).toBe(false);
  expect(ran).toEqual([]);
  isMenuOpen = false;
  typeKey({ key: 'Escape', code: 'Escape' });
  expect(ran).toEqual(['Escape']);
});
