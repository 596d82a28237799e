// npm run bench -- rows [rounds]: the CPU of this process (client and worker, without the engine) for one callback that changes a
// reservation, where its rows go to the worker by a local activity and where they go directly, in turns. Nothing is stored.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { reservationWorkflow } from '../src/contract/names.js';
import { eventsSignal, type RecordInput, startOptions } from '../src/contract/reservation.js';
import { builtBundle } from '../src/temporal/worker/bundle.js';
import { createWorkflowWorker } from '../src/temporal/worker/worker.js';
import { Callbacks, policy } from './reservation/events.js';
import { Verdicts } from './reservation/verdicts.js';
import { withEngine } from './reservation/with-engine.js';
import { runBench } from './run.js';
import { median } from './statistics.js';

const rounds = Number(process.argv[3] ?? 8);
const reservations = 10;
const statuses = [10, 15, 20, 25, 30, 10, 15, 20, 25, 30];

const folder = await mkdtemp(join(tmpdir(), 'handover-bench-rows-'));
await runBench(() =>
  withEngine(folder, async ({ client, connection, namespace }) => {
    const measured: Record<'local activity' | 'directly', number[]> = { 'local activity': [], directly: [] };
    for (let round = 0; round <= rounds; round++) {
      for (const way of ['local activity', 'directly'] as const) {
        const taskQueue = `rows-${round}-${way}`;
        const stored = new Verdicts();
        const store = async (rows: RecordInput) => stored.add(rows);
        const worker = await createWorkflowWorker({
          connection,
          namespace,
          taskQueue,
          bundle: builtBundle(),
          activities: { record: store },
          directRows: { store, client, isOffered: way === 'directly' },
        });
        const ids = Array.from(
          { length: reservations },
          (_, i) => (2 * round + (way === 'directly' ? 1 : 0)) * reservations + i + 1,
        );
        const ms = await worker.runUntil(() => cpuPerCallback(client, taskQueue, ids, stored));
        // the first round warms up
        if (round > 0) measured[way].push(ms);
      }
    }
    for (const [way, all] of Object.entries(measured))
      console.log(`${way.padEnd(16)}${median(all).toFixed(1).padStart(8)} ms`);
  }),
);
await rm(folder, { recursive: true, force: true });
process.exit();

/** Milliseconds. */
async function cpuPerCallback(
  client: Client,
  taskQueue: string,
  ids: number[],
  stored: Verdicts,
): Promise<number> {
  const callbacks = ids.map((id) => [id, new Callbacks(id)] as const);
  const sendAll = async (status: number) => {
    await Promise.all(
      callbacks.map(([reservationId, one]) =>
        client.workflow.signalWithStart(reservationWorkflow, {
          ...startOptions({ reservationId, policy }, taskQueue),
          signal: eventsSignal,
          signalArgs: [{ events: [one.of(status)], policy }],
        }),
      ),
    );
    await stored.more(ids.length);
  };
  await sendAll(5);
  const before = process.cpuUsage();
  for (const status of statuses) await sendAll(status);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / (ids.length * statuses.length);
}
