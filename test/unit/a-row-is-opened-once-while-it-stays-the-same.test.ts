import { expect, it, vi } from 'vitest';
import { LastOpened } from '../../src/store/reservations/last-opened.js';

const shown = (carNumber: string) => ({ carNumber, dispatchStaff: null, recallStaff: null });
const openingOf = () => vi.fn((_: number, sealed: Uint8Array) => shown(Buffer.from(sealed).toString()));

it('the next reading shows a row of the same bytes as it was opened, and opens what was written since', () => {
  const open = openingOf();
  const opened = new LastOpened(open);
  expect(opened.reading()(1, Buffer.from('12A 3456'))).toEqual(shown('12A 3456'));
  expect(opened.reading()(1, Buffer.from('12A 3456'))).toEqual(shown('12A 3456'));
  expect(open).toHaveBeenCalledTimes(1);
  expect(opened.reading()(1, Buffer.from('78B 9012'))).toEqual(shown('78B 9012'));
  expect(open).toHaveBeenCalledTimes(2);
});

it('equal bytes of another reservation are opened as its own (L60)', () => {
  const open = openingOf();
  const opened = new LastOpened(open);
  opened.reading()(1, Buffer.from('12A 3456'));
  opened.reading()(2, Buffer.from('12A 3456'));
  expect(open.mock.calls.map(([id]) => id)).toEqual([1, 2]);
});

it('what the last reading did not show is not remembered (L60)', () => {
  const open = openingOf();
  const opened = new LastOpened(open);
  opened.reading()(1, Buffer.from('12A 3456'));
  opened.reading()(2, Buffer.from('78B 9012'));
  opened.reading()(1, Buffer.from('12A 3456'));
  expect(open).toHaveBeenCalledTimes(3);
});

it('the bytes that a driver uses again for another row change nothing that is remembered', () => {
  const open = openingOf();
  const opened = new LastOpened(open);
  const buffer = Buffer.from('12A 3456');
  opened.reading()(1, buffer);
  buffer.write('78B 9012');
  expect(opened.reading()(1, buffer)).toEqual(shown('78B 9012'));
});
