import { expect, it } from 'vitest';
import { Restarts } from '../../src/app/parts/receiver/restarts.js';

it('a thread that ends soon is started again after longer and longer pauses, and five in a row are in vain', () => {
  let now = 0;
  const restarts = new Restarts(() => now);
  const pauses = [1, 2, 3, 4, 5, 6, 7].map(() => {
    restarts.listens();
    now += 60_000;
    const wasInVain = restarts.areInVain;
    return [restarts.ended(0), wasInVain, restarts.areInVain];
  });
  expect(pauses).toEqual([
    [1_000, false, false],
    [2_000, false, false],
    [4_000, false, false],
    [8_000, false, false],
    [16_000, false, true],
    [30_000, true, true],
    [30_000, true, true],
  ]);
  expect(restarts.isListening).toBe(false);
});

it('one that has worked for a minute is sound: the process lives, and the next pause is the shortest', () => {
  let now = 0;
  const restarts = new Restarts(() => now);
  for (let n = 0; n < 5; n++) restarts.ended(0);
  restarts.listens();
  expect([restarts.isListening, restarts.areInVain]).toEqual([true, true]);
  now = 60_001;
  expect(restarts.areInVain).toBe(false);
  expect(restarts.ended(0)).toBe(1_000);
  expect(restarts.areInVain).toBe(false);
});

it('the time in which a thread hung does not count: one that works for half a minute and then hangs is not sound', () => {
  let now = 0;
  const restarts = new Restarts(() => now);
  const pauses = [1, 2].map(() => {
    restarts.listens();
    now += 70_000;
    return restarts.ended(40_000);
  });
  expect(pauses).toEqual([1_000, 2_000]);
});
