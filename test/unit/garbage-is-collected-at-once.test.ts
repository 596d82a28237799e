import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../src/app/startup/collect-garbage.js';

it('what nothing references any more is freed at once', async () => {
  const make = () => new WeakRef({ memory: new Uint8Array(1024) });
  const [unused, used] = [make(), { memory: new Uint8Array(1024) }];
  const kept = new WeakRef(used);
  // a weak reference holds its object until the end of the job that made it
  await new Promise(setImmediate);
  collectGarbage();
  expect(unused.deref()).toBeUndefined();
  expect(kept.deref()).toBe(used);
});

it('contexts that are made later, as those of workflows, cannot collect it', () => {
  collectGarbage();
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
