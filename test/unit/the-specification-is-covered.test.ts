import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const rows = readFileSync('docs/specification-coverage.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| S\d/.test(line))
  .map((line) => {
    const [, id = '', section = '', demand = '', held = ''] = line.split('|').map((cell) => cell.trim());
    const tests = held.split('<br>').map((entry) => {
      const [, file = '', name = ''] = /^`([^`]+)` › (.+)$/.exec(entry) ?? [];
      return { file, name };
    });
    return { id, section, demand, tests };
  });

/** The titles of a test file: the text that stands first in each `it(…)` or at the end of its table. */
function titlesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  const found = readFileSync(file, 'utf8').matchAll(
    /(?:\bit(?:\.\w+)*|\]\)|\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/g,
  );
  return [...found].map(([, single, double]) => single ?? double ?? '');
}
const titles = new Map<string, string[]>();
for (const { file } of rows.flatMap(({ tests }) => tests)) {
  if (!titles.has(file)) titles.set(file, titlesOf(file));
}

describe('the specification', () => {
  it('has a row for every demand, numbered without a gap', () => {
    expect(rows.length).toBeGreaterThan(140);
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_row, n) => `S${String(n + 1).padStart(3, '0')}`));
    expect(rows.filter(({ section, demand }) => section === '' || demand === '')).toEqual([]);
  });

  it.each(rows)('$id is held by tests that exist: $demand', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const { file, name } of tests) expect(titles.get(file), `${file} › ${name}`).toContain(name);
  });
});
