import { expect, it } from 'vitest';
import { fingerprint, fraction } from '../../../../src/domain/shared/hash.js';
import { keyReused, markOf, standingOf } from '../../../../src/domain/shared/idempotency.js';

it.each<[unknown, string]>([
  [null, '1omwfhr5hyy'],
  ['', '3nj1ggyqd3'],
  ['hold', '1mr0elybxn1'],
  [0, 'uvqa3at41j'],
  [[1, 2], '159i1eu46gt'],
  [{ a: 1, b: [2, null] }, '4k9voph43j'],
  [['change', { end: 1_763_683_200_000, reason: '정비' }], '1w6xaf0fynf'],
])('L21: a stored mark stands for the same content in each release: %j', (value, mark) => {
  expect(fingerprint(value)).toBe(mark);
});

it('L21: a mark depends on no order of fields and no field without a value, but on the order of a list', () => {
  const mark = fingerprint({ a: 1, b: { c: 2, d: 3 } });
  expect(fingerprint({ b: { d: 3, c: 2 }, a: 1, e: undefined })).toBe(mark);
  expect(fingerprint([1, 2])).not.toBe(fingerprint([2, 1]));
  expect(fingerprint([undefined])).toBe(fingerprint([null]));
  expect(fingerprint({ a: 1 })).not.toBe(fingerprint({ a: '1' }));
  expect(fingerprint({ 0: 1 })).not.toBe(fingerprint([1]));
});

it.each([
  ['', 0.37069325695158317],
  ['hold h-1', 0.2844195238508129],
  ['hold h-2', 0.2933618005981006],
  ['x'.repeat(200), 0.8111260209457787],
])('a replay repeats the jitter of "%s"', (text, value) => expect(fraction(text)).toBe(value));

it('L21: who sent a request, and its key, are no part of its content', () => {
  const mark = markOf('resolve', { reason: 'x' });
  expect(markOf('resolve', { reason: 'x', by: 'lee', settlementId: 'k' })).toBe(mark);
  expect(markOf('resolve', { reason: 'y' })).not.toBe(mark);
  expect(markOf('release', { reason: 'x' })).not.toBe(mark);
});

it('L21: a key is new, stands for the same content, or is refused for another', () => {
  expect(standingOf(undefined, 'm')).toBe('new');
  expect(standingOf({ mark: 'm' }, 'm')).toBe('same');
  expect(standingOf({}, 'm')).toBe('same');
  expect(standingOf({ mark: 'n' }, 'm')).toBe('other');
  expect(keyReused().code).toBe('COMMAND_ID_REUSED');
});
