import fc from 'fast-check';
import { expect, it } from 'vitest';
import { instant } from '../../src/store/columns.js';

const column = instant('at');
// drizzle keeps the mapping of a custom type in its builder
const read = (text: string) =>
  (
    column as unknown as { config: { customTypeParams: { fromDriver(value: string | Date): number } } }
  ).config.customTypeParams.fromDriver(text);

/** As Postgres writes a `timestamptz` in the ISO style, of a session in UTC. */
function asPostgres(at: number): string {
  const [, sign, year = '', rest = ''] = /^([+-]?)(\d+)(-.*)Z$/.exec(new Date(at).toISOString()) ?? [];
  const isBefore = sign === '-' || Number(year) === 0;
  const shown = isBefore ? Number(year) + 1 : Number(year);
  return `${String(shown).padStart(4, '0')}${rest.replace('T', ' ')}+00${isBefore ? ' BC' : ''}`;
}

it.each([
  ['2026-11-21 09:00:00.125+00', '2026-11-21T09:00:00.125Z'],
  ['2026-11-21 09:00:00+09', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21 09:00:00+05:30', '2026-11-21T03:30:00.000Z'],
  ['0001-01-02 00:00:00+00', '0001-01-02T00:00:00.000Z'],
  ['0032-05-01 12:00:00+00', '0032-05-01T12:00:00.000Z'],
  ['0001-12-31 15:00:00+00 BC', '0000-12-31T15:00:00.000Z'],
  ['10000-01-01 05:00:00+00', '+010000-01-01T05:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(new Date(read(text)).toISOString()).toBe(expected);
});

it('every instant that a callback or a request can have comes back as it is', () => {
  const any = fc.integer({
    min: Date.parse('0001-01-02T00:00:00Z'),
    max: Date.parse('9999-12-30T23:59:59.999Z'),
  });
  fc.assert(fc.property(any, (at) => read(asPostgres(at)) === at));
});

it('a date of the driver is its instant', () => {
  expect(read(new Date(17) as never)).toBe(17);
});
