import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { memoTrap } from '../support/crash/messages.js';
import { startTrappedWorker } from '../support/crash/started-worker.js';
import type { WorkerProcess } from '../support/crash/worker-process.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, platformKeys, startHandoverParts } from '../support/handover-parts.js';

/** The worker is killed (SIGKILL) before a note's request, while the platform has acted on it, and with its answer in hand. */
const points = ['before-request', 'platform-acted', 'after-answer'] as const;
const ids = {} as Record<(typeof points)[number], number>;

const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
let worker: WorkerProcess;

beforeAll(async () => {
  database = await lane.open();
  parts = await startHandoverParts(database);
  for (const point of points) ids[point] = await returned();
  worker = await startTrappedWorker(parts, database, {
    traps: {
      'before-request': [memoTrap(ids['before-request'])],
      'after-answer': [memoTrap(ids['after-answer'])],
    },
  });
  await parts.platform.control('PUT', '/faults', {
    calls: [{ operation: 'addCarMemo', effect: { kind: 'hang', applied: true } }],
  });
  await recall(ids['platform-acted']);
  await eventually('the platform has acted', async () => (await memosOf(ids['platform-acted'])).length === 1);
  await Promise.all([recall(ids['before-request']), recall(ids['after-answer'])]);
  const isTrapped = () => worker.at('before-request').length === 1 && worker.at('after-answer').length === 1;
  await eventually('both notes are where the worker dies', isTrapped, 10_500, 50);
  await worker.kill();
  worker = await startTrappedWorker(parts, database);
}, 120_000);
afterAll(async () => {
  await worker?.kill();
  await parts?.stop();
  await database?.close();
}, 60_000);

async function returned(): Promise<number> {
  const { booked, command, customer } = parts.platform;
  const id = await booked();
  await command('PUT', id, 'dispatch/start');
  await command('PUT', id, 'dispatch/complete');
  await customer(id, 'start-use');
  await customer(id, 'return');
  return id;
}

async function recall(id: number): Promise<void> {
  const known = async () => (await parts.view(id))?.status.code === 30;
  await eventually(`reservation ${id} is back`, known, 30_000, 100);
  const json = { note: 'a scratch on the left door', override: true, reason: 'no photo needed' };
  const path = `/api/reservations/${id}/recall/complete`;
  const { status } = await parts.ask('PUT', path, { key: `recall-${id}`, json });
  expect(status).toBe(200);
}

async function memosOf(id: number): Promise<string[]> {
  const { carId } = await parts.platform.truth(id);
  const { body } = await parts.platform.call('GET', `/car/${carId}/memo`, { key: platformKeys.supplier });
  const own = body.filter(({ content }: { content: string }) => content.startsWith(`[reservation ${id}]`));
  return own.map(({ content }: { content: string }) => content);
}

it.each(points)('F58: killed %s, the note is one memo of the car', { timeout: 90_000 }, async (point) => {
  const id = ids[point];
  const outcome = async () => (await parts.view(id))?.recall.note?.outcome === 'applied';
  await eventually('the note is known to be kept', outcome, 80_000, 200);
  expect(await memosOf(id)).toEqual([`[reservation ${id}] a scratch on the left door`]);
});
