import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { titlesOf } from '../support/test-titles.js';

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

const titles = new Map<string, string[]>();
for (const { file } of rows.flatMap(({ tests }) => tests)) {
  if (!titles.has(file) && existsSync(file)) titles.set(file, titlesOf(readFileSync(file, 'utf8')));
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
