import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { Pool } from 'undici';
import type { FleetName } from '../../src/sandbox/fleet/fleets.js';
import { seed } from '../../src/sandbox/fleet/seed.js';
import { openStore, type SandboxDb } from '../../src/sandbox/store/store.js';
import { endProgram, startProgram } from '../child.js';
import { environment, ownScript } from '../program-settings.js';

const day = 24 * 3_600_000;
const keys = { channel: 'bench-channel-key', supplier: 'bench-supplier-key' };

export interface Stage {
  url: string;
  supplierKey: string;
  /** Status and body of one call. */
  call(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    key?: keyof typeof keys,
  ): Promise<{ status: number; text: string }>;
  /** Stops the sandbox. @returns the number of overlapping pairs of schedules of one car */
  stop(): Promise<number>;
}

export interface StageOptions {
  fleet: FleetName;
  folder: string;
  databaseUrl: string | undefined;
  callbackUrl?: string;
  /** Adds rows to its database before it starts. */
  prepare?(db: SandboxDb): Promise<void>;
}

/**
 * Starts a sandbox in a process of its own. Each car of its fleet is reserved every second day for thirty days from
 * today: 15 schedules per car.
 */
export async function startStage(options: StageOptions): Promise<Stage> {
  const { fleet, folder, databaseUrl, callbackUrl } = options;
  await mkdir(folder, { recursive: true });
  const source = { folder: join(folder, 'sandbox-db'), databaseUrl };
  const store = await openStore(source);
  await seed(store.db, fleet);
  const from = new Date(Math.floor(Date.now() / day) * day).toISOString();
  await store.db.execute(sql`insert into sandbox.schedules (car_id, schedule_type, start_at, end_at, reason)
    select car_id, 'S', ${from}::timestamptz + n * interval '2 days', ${from}::timestamptz + n * interval '2 days' + interval '1 day', 'bench'
    from sandbox.cars, generate_series(0, 14) n`);
  await options.prepare?.(store.db);
  await store.close();

  const child = startProgram('sandbox', ownScript, ['sandbox'], {
    folder,
    cpuProf: undefined,
    stdout: 'pipe',
    env: {
      ...environment(),
      HANDOVER_DATA_DIR: folder,
      SANDBOX_PORT: '0',
      SANDBOX_KEYS: `channel:${keys.channel},supplier:${keys.supplier}:11`,
      SANDBOX_DATABASE_URL: databaseUrl ?? '',
      SANDBOX_CALLBACK_URL: callbackUrl ?? '',
      LOG_LEVEL: 'error',
    },
  });
  const url = await addressOf(child);
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  return {
    url,
    supplierKey: keys.supplier,
    async call(method, path, body, key = 'channel') {
      const answer = await pool.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${keys[key]}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body ? JSON.stringify(body) : null,
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    },
    async stop() {
      await pool.close();
      await endProgram(child);
      return overlapsIn(source);
    },
  };
}

async function addressOf(child: ReturnType<typeof startProgram>): Promise<string> {
  let output = '';
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (chunk: string) => {
    output += chunk;
  });
  const gone = once(child, 'exit').then(() => {
    throw new Error('the sandbox did not start; its log is kept');
  });
  gone.catch(() => {});
  for (;;) {
    const url = /platform on (http:\S+)/.exec(output)?.[1];
    if (url !== undefined) return url;
    await Promise.race([gone, child.stdout && once(child.stdout, 'data')]);
  }
}

async function overlapsIn(source: Parameters<typeof openStore>[0]): Promise<number> {
  const { db, close } = await openStore(source);
  const found = await db.execute(sql`select count(*)::int as pairs from sandbox.schedules a
    join sandbox.schedules b on a.car_id = b.car_id and a.schedule_id < b.schedule_id
      and a.start_at < b.end_at and b.start_at < a.end_at`);
  await close();
  return (found as unknown as { rows: { pairs: number }[] }).rows[0]?.pairs ?? -1;
}
