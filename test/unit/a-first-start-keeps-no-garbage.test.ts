import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../src/app/startup/collect-garbage.js';

const mb = 1024 * 1024;
const inUse = () => process.memoryUsage().arrayBuffers;

it('memory that nothing holds any more is free at once, and workflow code cannot collect garbage itself', () => {
  const without = inUse();
  // as the memory of a program that creates a database
  const held = { memory: Array.from({ length: 32 }, () => new Uint8Array(mb)) };
  expect(inUse()).toBeGreaterThanOrEqual(without + 32 * mb);
  held.memory = [];
  collectGarbage();
  expect(inUse()).toBeLessThan(without + mb);
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
