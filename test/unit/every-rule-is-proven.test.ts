import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { titlesOf } from '../support/test-titles.js';

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `L${`${first + index}`.padStart(2, '0')}`);
const rules = [...range(1, 30), ...range(40, 48), ...range(60, 63)];

/** Those of the fleet, by blocks: each part has its own. */
const fleetRules = [...readFileSync('docs/fleet.md', 'utf8').matchAll(/^\| (F\d\d) \|/gm)].map(
  ([, id = '']) => id,
);

/** Rule ids by the file whose test titles or `rules` name them. */
const proofs = [...tests(), ...scenarios()];

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
}
function tests(): { file: string; ids: string[] }[] {
  return filesIn('test', '.test.ts').map((file) => ({
    file,
    ids: titlesOf(readFileSync(file, 'utf8')).flatMap((title) => title.match(/\b[LF]\d\d\b/g) ?? []),
  }));
}
function scenarios(): { file: string; ids: string[] }[] {
  return filesIn('scenarios', '.yaml').map((file) => {
    const { rules: ids } = parse(readFileSync(file, 'utf8')) as { rules?: string[] };
    return { file, ids: ids ?? [] };
  });
}

describe('every rule has a test or a scenario that names it', () => {
  it.each([...rules, ...fleetRules])('%s', (rule) => {
    expect(proofs.filter(({ ids }) => ids.includes(rule)).map(({ file }) => file)).not.toEqual([]);
  });
});

it('the rules page lists these rules and no others', () => {
  const page = readFileSync('docs/lifecycle.md', 'utf8');
  const listed = [...page.matchAll(/^(?:\| |\*\*)(L\d\d)\b/gm)].map(([, id]) => id);
  expect(listed).toEqual(rules);
});

it('no test or scenario names a rule that there is not', () => {
  const unknown = proofs.filter(({ ids }) => ids.some((id) => ![...rules, ...fleetRules].includes(id)));
  expect(unknown.map(({ file }) => file)).toEqual([]);
});

it('the check reads titles however they are written', () => {
  const source = `
    describe.each(table)('L01: a', () => { it.each([1])(\`L02: \${b}\`, () => {}); });
    it('L03', { timeout: 1 }, () => { expect('L04').toBe('L04'); });
    test.skip('L05', () => {});`;
  expect(titlesOf(source).flatMap((title) => title.match(/L\d\d/g) ?? [])).toEqual([
    'L01',
    'L02',
    'L03',
    'L05',
  ]);
});
