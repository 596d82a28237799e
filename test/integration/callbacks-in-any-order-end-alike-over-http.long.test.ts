import { readFileSync } from 'node:fs';
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
  parts = await startHandoverParts(database, { worker: true });
}, 60_000);
afterAll(async () => {
  await parts?.stop();
  await database?.close();
}, 60_000);

it('callbacks in any order and duplication, over HTTP, inbox, relay and workflow, end in the same view as in order of emission', async () => {
  const counts = await holdOrders(parts, database, sampleOf(20261122, 1_200, 710_000));
  console.info('over real HTTP:', counts);
  const written = (count: number) => count.toLocaleString('en');
  const { deliveries, different, marked, callbacks } = counts;
  const published =
    `${written(deliveries)} in the long lane (${written(different)} different ones, ` +
    `${written(marked)} with an ambiguous or conflict mark; ${written(callbacks)} callbacks)`;
  expect(readFileSync('docs/lifecycle.md', 'utf8').replaceAll('\n', ' ')).toContain(published);
}, 1_200_000);
