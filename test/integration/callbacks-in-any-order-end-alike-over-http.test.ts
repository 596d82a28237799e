import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { embeddedLane } from '../support/database.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';
import { holdOrders, sampleOf } from '../support/order-sample.js';

const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
beforeAll(async () => {
  database = await lane.open();
  // runs end in the middle of deliveries too
  parts = await startHandoverParts(database, { policy: { historyEventsPerRun: 12 }, worker: true });
}, 60_000);
afterAll(async () => {
  await parts?.stop();
  await database?.close();
}, 60_000);

it('any order and duplication of callbacks, by HTTP, inbox, relay and workflow, ends as the order of emission', async () => {
  const counts = await holdOrders(parts, database, sampleOf(20261121, 12, 700_000));
  expect(counts.deliveries).toBe(12);
  console.info('over real HTTP:', counts);
}, 120_000);
