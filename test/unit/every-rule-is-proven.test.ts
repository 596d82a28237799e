import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guarantees, limits, rulesOf, scenarioProofs, tableOf, testProofs } from '../support/guarantees.js';
import { titlesOf } from '../support/test-titles.js';

const proofs = [...testProofs(), ...scenarioProofs()];

describe('every guarantee has a test or a scenario that names it', () => {
  it.each(guarantees)('%s', (id) => {
    expect(proofs.filter(({ ids }) => ids.includes(id)).map(({ file }) => file)).not.toEqual([]);
  });
});

it('every limit of docs/operations.md has a test', () => {
  const page = readFileSync('docs/operations.md', 'utf8');
  const [, table = ''] = /\| limit \| value \| beyond it \|\n\| --- .*\n((?:\|.*\n)+)/.exec(page) ?? [];
  expect(table.match(/^\| [^|]+(?= \|)/gm)?.map((row) => row.slice(2))).toEqual(
    limits.map(({ limit }) => limit),
  );
  const unproven = limits.filter(
    ({ file, title }) => !titlesOf(readFileSync(file, 'utf8')).some((one) => title.test(one)),
  );
  expect(unproven).toEqual([]);
});

it('docs/testing.md shows each guarantee with its tests by lane', async () => {
  const page = readFileSync('docs/testing.md', 'utf8');
  const heading = '| guarantee | fast lane | long lane |\n';
  const shown = page.slice(0, page.indexOf(heading));
  // `npm test -- test/unit/every-rule -u` writes it
  await expect(`${shown}${heading}${tableOf(proofs)}`).toMatchFileSnapshot('../../docs/testing.md');
});

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `L${`${first + index}`.padStart(2, '0')}`);

it('docs/lifecycle.md lists these rules and no others', () => {
  expect(rulesOf('docs/lifecycle.md')).toEqual([...range(1, 30), ...range(40, 48), ...range(60, 63)]);
});

it('no test or scenario names a guarantee that does not exist', () => {
  const isOther = (id: string) => !guarantees.includes(id);
  const unknown = proofs.filter(({ ids }) => ids.some(isOther));
  expect(unknown.map(({ file, ids }) => [file, ids.filter(isOther)])).toEqual([]);
});

const idsOf = (source: string) => titlesOf(source).flatMap((title) => title.match(/L\d\d/g) ?? []);

it('the check reads titles however they are written', () => {
  const source = `
    describe.each(table)('L01: a', () => { it.each([1])(\`L02: \${b}\`, () => {}); });
    it('L03', { timeout: 1 }, () => { expect('L04').toBe('L04'); });
    test.runIf(isHere).each([1])('L05', () => {});`;
  expect(idsOf(source)).toEqual(['L01', 'L02', 'L03', 'L05']);
});

it.each([
  `test.skip('L01', () => {});`,
  `it.todo('L01');`,
  `it.skip.each([1])('L01', () => {});`,
  `it('L01', { skip: true }, () => {});`,
  `it.fails('L01', () => {});`,
  `describe.skip('L01', () => { it('L02', () => {}); });`,
])('a test that does not run, or has to fail, is no proof: %s', (source) => {
  expect(idsOf(source)).toEqual([]);
});
