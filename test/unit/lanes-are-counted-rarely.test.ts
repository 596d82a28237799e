import { expect, it } from 'vitest';
import { RarelyRead } from '../../src/store/reservations/rarely-read.js';

it('a read is repeated after a hundred times as long as it took, five seconds at most, and shared meanwhile', async () => {
  let now = 0;
  let reads = 0;
  let takesMs = 10;
  const rarely = new RarelyRead<number>(() => now);
  const read = async () => {
    now += takesMs;
    return ++reads;
  };
  expect(await Promise.all([rarely.get(read), rarely.get(read)])).toEqual([1, 1]);
  now += 999;
  expect(await rarely.get(read)).toBe(1);
  now += 1;
  takesMs = 1_000;
  expect(await rarely.get(read)).toBe(2);
  now += 4_999;
  expect(await rarely.get(read)).toBe(2);
  now += 1;
  expect(await rarely.get(read)).toBe(3);
});

it('a failed read is repeated by the next call', async () => {
  const rarely = new RarelyRead<number>();
  await expect(rarely.get(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await rarely.get(async () => 7)).toBe(7);
});
