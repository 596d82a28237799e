import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/index.js';
import { variables } from '../../src/app/config/variables.js';

const rows = /^\| `([A-Z_]+)` \| (.+?) \| .+ \|$/gm;
const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
const listed = [...page.matchAll(rows)].map(([, name = '', shown = '']) => ({ name, shown }));

it('docs/configuration.md lists every variable, and none that does not exist', () => {
  expect(listed.map(({ name }) => name).toSorted()).toEqual(Object.keys(variables).toSorted());
});

it('docs/configuration.md has two tables: the settings that most operators set, and those that few set', () => {
  const counts = page
    .split('\n## ')
    .map((section) => [section.split('\n')[0], [...section.matchAll(rows)].length] as const)
    .filter(([, count]) => count > 0);
  expect(counts.map(([title]) => title)).toEqual(['What most operators set', 'What few operators set']);
});

it('docs/configuration.md shows the actual defaults', () => {
  const written = listed.flatMap(({ name, shown }) => {
    const value = /^`(.+)`$/.exec(shown)?.[1];
    return value === undefined ? [] : [[name, value] as const];
  });
  expect(written.length).toBeGreaterThan(10);
  expect(loadConfig(Object.fromEntries(written))).toEqual(loadConfig({}));
});
