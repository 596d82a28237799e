import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { moduleState } from '../support/module-state.js';

/** Everything that workflows may import. */
const folders = ['workflows', 'src/domain', 'src/contract'];
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

describe('workflow code keeps no module state', () => {
  it.each(files)('%s', (file) => {
    expect(moduleState(readFileSync(file, 'utf8'))).toEqual([]);
  });
});

it('the workflow bundle includes no source outside these folders', () => {
  const bundled = new Set<string>();
  const include = (file: string) => {
    if (bundled.has(file)) return;
    bundled.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import) '(\.[^']+)\.js'/g))
      include(`${join(dirname(file), path)}.ts`);
  };
  include('workflows/index.ts');
  include('workflows/interceptors.ts');
  expect(bundled.size).toBeGreaterThan(100);
  expect([...bundled].filter((file) => !files.includes(file))).toEqual([]);
});

describe('the check itself', () => {
  it.each([
    ['let count = 0;', 'count'],
    ['export let count = 0;', 'count'],
    ['var seen;', 'seen'],
    ['const seen = new Map<string, number>();', 'seen'],
    ['export const list: string[] = [];', 'list'],
    ['const byId: Record<string, number> = {};', 'byId'],
    ['const byId = {} satisfies Record<string, number>;', 'byId'],
    ['const list = [1] as number[];', 'list'],
    ['class Counter { static count = 0 }', 'Counter'],
    ['class Counter { static readonly seen = new Map() }', 'Counter'],
    ['const cache = createCache();', 'cache'],
    ['const seen = Object.create(null);', 'seen'],
    ['const names = Object.keys(byId);', 'names'],
    ['const each = /x/g;', 'each'],
    ['const known = given ?? new Map();', 'known'],
    ['const list = isLong ? [1, 2] : [];', 'list'],
  ])('finds the state in %s', (source, name) => {
    expect(moduleState(source)).toEqual([name]);
  });

  it.each([
    'const lead = 3_600_000;',
    'const codes = [5, 10] as const;',
    "const names = { 5: 'applied' } as const satisfies Record<number, string>;",
    'const ladder: readonly number[] = [15, 60];',
    'const known: ReadonlySet<number> = new Set([5]);',
    'const names: Readonly<Record<number, string>> = {};',
    'const isKnown = /^x$/i;',
    'const names: readonly string[] = Object.keys(byId);',
    'const frozen = Object.freeze({ a: 1 });',
    'export const events = defineSignal("events");',
    'export function view() { const lines = []; let n = 0; return [lines, n]; }',
    'class Refusal extends Error { static readonly code = 1; count = 0 }',
  ])('accepts %s', (source) => {
    expect(moduleState(source)).toEqual([]);
  });
});
