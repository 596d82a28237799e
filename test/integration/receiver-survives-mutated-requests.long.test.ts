import { expect, it } from 'vitest';
import { onEveryDatabase } from '../support/database.js';
import { fuzzReceiver } from '../support/receiver-fuzz.js';

/** Of the heap, from 2,000 requests to 10,000: a leak of 2 KB a request would be as much. */
const mayGrowBytes = 16 * 1024 * 1024;

onEveryDatabase('10,000 mutated callbacks', (lane) => {
  it('L63: mutated callbacks: no 5xx, no hang, each intact callback is stored, and the memory stays flat', async () => {
    const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
    console.info(`FUZZ_SEED=${seed} repeats this run`);
    const database = await lane.open();
    try {
      const { answered, early, late } = await fuzzReceiver(database, { atLeast: 10_000, seed });
      console.info(`heap ${early} bytes early, ${late} at the end; answers ${JSON.stringify(answered)}`);
      expect(answered[204]).toBeGreaterThan(1_000);
      expect(answered[400]).toBeGreaterThan(1_000);
      expect(late - early).toBeLessThan(mayGrowBytes);
    } finally {
      await database.close();
    }
  });
});
