import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { openHandoverDatabase } from '../../src/store/handover.js';
import { createOpenRows } from '../../src/store/reservations/open-rows.js';
import { writeTogether } from '../../src/store/reservations/record.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { connectClient, embeddedTarget } from '../../src/temporal/connection/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { startDevServer } from '../../src/temporal/server/dev-server.js';
import { provideEngine } from '../../src/temporal/server/provision/provide.js';
import { CallbackWatch } from '../callback-watch.js';
import type { Place } from '../place.js';
import { startProduct } from '../product.js';
import { openReservations } from '../reconciliation/open.js';
import type { Target } from '../target.js';
import { openRows } from './rows.js';

/** Above the ids that the sandbox gives. */
const firstReservation = 20_000_000;

export interface Deployment extends Target {
  /** Reads of visibility that the engine has served since its start. */
  visibilityReads(): Promise<number>;
}

/**
 * Starts the whole product with `open` open reservations. Each has a workflow that no worker runs and a row of the lists: the
 * console reads nothing else of them.
 */
export async function startWithOpen(
  options: Place & { open: number; cpuProf: string | undefined },
): Promise<Deployment> {
  const { folder, databaseUrl: url, isApart, open, cpuProf } = options;
  const key = { id: 'bench', key: randomBytes(32) };
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { recursive: true });
  const rows = openRows(open, Date.now());
  const engineFolder = join(dataDir, 'temporal');
  await startWorkflows(engineFolder, rows);
  const database = await openHandoverDatabase({ url, folder: join(dataDir, 'db') });
  const sealed = createOpenRows(createSealer([key]), [key]);
  const inputs = rows.map((row, index) => ({
    reservationId: firstReservation + index,
    verdicts: [],
    entries: [],
    row,
  }));
  for (let first = 0; first < inputs.length; first += 500)
    await writeTogether(database.db, inputs.slice(first, first + 500), { openRows: sealed });
  await database.close();
  const callbacks = new CallbackWatch();
  const target = await startProduct({
    folder,
    callbackUrl: await callbacks.listen(),
    cpuProf,
    isApart,
    env: {
      CODEC_KEYS: `${key.id}:${Buffer.from(key.key).toString('base64')}`,
      ...(url !== undefined && { DATABASE_URL: url }),
    },
  });
  callbacks.handTo(target.receiverUrl, 4);
  return {
    ...target,
    visibilityReads: () => visibilityReads(engineFolder),
    async stop() {
      await target.stop();
      await callbacks.close();
    },
  };
}

async function startWorkflows(folder: string, rows: ReturnType<typeof openRows>): Promise<void> {
  const binary = await provideEngine('dev-server', { onProgress: () => {} });
  const engine = await startDevServer({ binary, folder, port: 0, uiPort: 0 });
  const connection = await connectClient(embeddedTarget(engine.address));
  try {
    await registerSearchAttributes(connection, engine.namespace);
    const entries = rows.map(({ carId, period }, index) => {
      return { scheduleId: index + 1, carId: carId ?? 0, start: period?.start ?? 0, end: period?.end ?? 0 };
    });
    await openReservations(
      new Client({ connection, namespace: engine.namespace }),
      entries,
      firstReservation,
    );
  } finally {
    await connection.close();
    await engine.stop();
  }
}

/** From the engine's own metrics; it logs their address at its start. */
async function visibilityReads(folder: string): Promise<number> {
  const log = await readFile(join(folder, 'engine.log'), 'utf8');
  const address = [...log.matchAll(/^Metrics: (http\S+)$/gm)].at(-1)?.[1];
  if (address === undefined) throw new Error('the engine did not log the address of its metrics');
  const metrics = await (await fetch(address)).text();
  const reads =
    /^service_requests\{[^}]*operation="(?:List|Count|Scan)\w*WorkflowExecutions"[^}]*service_name="frontend"[^}]*\} (\d+)/gm;
  return [...metrics.matchAll(reads)].reduce((sum, [, count]) => sum + Number(count), 0);
}
