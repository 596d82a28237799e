import { expect, it } from 'vitest';
import { checkApiKey } from '../../../src/tools/doctor/api-key.js';

const now = Date.parse('2026-11-01T00:00:00Z');
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const keyUntil = (day: string) =>
  `${part({ alg: 'ES256' })}.${part({ exp: Date.parse(`${day}T00:00:00Z`) / 1_000 })}.signature`;
const found = (key: string) => [...checkApiKey(key, now)].map(({ result, says }) => [result, says]);

it.each([
  ['2026-12-31', 'ok', 'ends on'],
  ['2026-11-20', 'warn', 'ends on'],
  ['2026-10-31', 'fail', 'ended on'],
])('a key until %s: %s', (day, result, text) => {
  expect(found(keyUntil(day))).toEqual([[result, `TEMPORAL_API_KEY ${text} ${day}`]]);
});

it.each(['an opaque key', 'a.b.c', `a.${part('text')}.c`, `a.${part({ exp: 'soon' })}.c`])(
  '%s states no end, and nothing is reported',
  (key) => {
    expect(found(key)).toEqual([]);
  },
);
