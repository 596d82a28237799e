import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { embeddedLane } from '../support/database.js';
import { fuzzReceiver } from '../support/receiver-fuzz.js';

const lane = embeddedLane();
let database: HandoverDatabase;
beforeAll(async () => {
  database = await lane.open();
});
afterAll(() => database.close());

it('L63: a sample of mutated callbacks: no 5xx, no hang, and each intact callback is stored', async () => {
  const { answered } = await fuzzReceiver(database, { atLeast: 80, seed: 20_261_121 });
  expect(answered[204]).toBeGreaterThan(15); // it got past the first checks
  expect(answered[401]).toBeGreaterThan(2);
  expect(answered[400]).toBeGreaterThan(15);
}, 60_000);
