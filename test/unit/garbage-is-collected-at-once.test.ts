import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../src/app/startup/collect-garbage.js';

const mb = 1024 * 1024;
const inUse = () => process.memoryUsage().arrayBuffers;

it('memory that nothing references any more is freed at once', () => {
  collectGarbage();
  const without = inUse();
  const held = { memory: Array.from({ length: 32 }, () => new Uint8Array(mb)) };
  expect(inUse()).toBeGreaterThanOrEqual(without + 32 * mb);
  held.memory = [];
  collectGarbage();
  expect(inUse()).toBeLessThan(without + mb);
});

it('contexts that are made later, as those of workflows, cannot collect it', () => {
  collectGarbage();
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
