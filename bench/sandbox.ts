// npm run bench -- sandbox: measures the sandbox, which runs in a process of its own; this process is its client. A short
// warm-up precedes every measurement.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FleetName } from '../src/sandbox/fleet/fleets.js';
import { benchFolder } from './folder.js';
import { withDatabase } from './own-database.js';
import { runBench } from './run.js';
import { bookings, callbacks, openReceiver, products, race, schedules } from './sandbox/scenes.js';
import { type Stage, startStage } from './sandbox/stage.js';
import { endOnSignal } from './signals.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const root = await benchFolder('sandbox');
endOnSignal();
await runBench(async () => {
  await onDatabase('PGlite', (use) => use(undefined));
  if (server === undefined) console.log('Postgres: skipped, HANDOVER_TEST_DATABASE_URL names no server');
  else await onDatabase('Postgres', (use) => withDatabase(server, 'sandbox', use));
  await sendCallbacks();
});
await rm(root, { recursive: true, force: true });

type Use = (databaseUrl: string | undefined) => Promise<void>;

async function onDatabase(name: string, provide: (use: Use) => Promise<void>): Promise<void> {
  for (const fleet of ['city', 'chain'] as const) {
    await provide(async (databaseUrl) => {
      console.log(`${name}, ${fleet}`);
      await measure(fleet, databaseUrl);
    });
  }
}

async function measure(fleet: FleetName, databaseUrl: string | undefined): Promise<void> {
  const stage = await startStage({ fleet, folder: join(root, randomUUID()), databaseUrl });
  const large = fleet === 'chain';
  try {
    await show(stage, 'GET /product', () => products(stage, large ? 60 : 400));
    await show(stage, 'GET /schedule, 30 days', () => schedules(stage, large ? 40 : 200));
    await show(stage, 'POST /reservations, one by one', () => bookings(stage, 400));
    await show(stage, 'POST /reservations, 32 racing', () => race(stage, 1500));
  } finally {
    console.log(`  double bookings: ${await stage.stop()}`);
  }
}

async function show(stage: Stage, title: string, scene: () => Promise<object>): Promise<void> {
  if (!title.startsWith('POST')) await scene();
  else await bookings(stage, 50);
  console.log(`  ${title.padEnd(32)}${JSON.stringify(await scene())}`);
}

async function sendCallbacks(): Promise<void> {
  const receiver = await openReceiver();
  const options = { fleet: 'city' as const, folder: join(root, randomUUID()), databaseUrl: undefined };
  const stage = await startStage({ ...options, callbackUrl: receiver.url });
  try {
    console.log(`PGlite, city: callbacks sent ${JSON.stringify(await callbacks(stage, receiver, 1000))}`);
  } finally {
    await stage.stop();
    receiver.close();
  }
}
