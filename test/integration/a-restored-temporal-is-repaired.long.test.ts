import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, gt, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openHandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import { DemoHttp } from '../../src/tools/demo/http.js';
import { eventually } from '../support/eventually.js';
import { Deployment, type Ready, type Run, readJson } from '../support/process.js';

const hour = 3_600_000;
let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.create();
});
afterAll(() => deployment?.remove());

interface Entry {
  seq: number;
  [field: string]: unknown;
}
interface Item {
  id: number;
  reservationId: number;
  state: string;
  resends: number;
}

/** `handover up`, and what staff and customers do there. */
class Product {
  private constructor(
    private readonly run: Run,
    private readonly ready: Ready,
    readonly http: DemoHttp,
  ) {}

  static async start(): Promise<Product> {
    const run = deployment.run(['up', '--no-demo']);
    const ready = await run.ready();
    const http = new DemoHttp({
      apiUrl: ready.api,
      token: ready.tokens.staff,
      sandboxUrl: ready.sandbox,
      supplierKey: deployment.supplierKey(),
      signal: new AbortController().signal,
    });
    return new Product(run, ready, http);
  }

  read<T>(path: string): Promise<T> {
    return readJson<T>(this.ready.api + path, this.ready.tokens.manager);
  }
  async write(method: string, path: string, key: string, body: object) {
    const response = await fetch(this.ready.api + path, {
      method,
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${this.ready.tokens.manager}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  startDispatch = (id: number, key: string) =>
    this.write('PUT', `/api/reservations/${id}/dispatch/start`, key, {});
  assignStaff = (id: number, key: string) =>
    this.write('PUT', `/api/reservations/${id}/dispatch/staff`, key, {
      staffName: 'Lee',
      staffPhone: '01000000001',
    });
  items = async () => (await this.read<{ items: Item[] }>('/api/inbox?limit=500')).items;
  timeline = async (id: number) =>
    (await this.read<{ items: Entry[] }>(`/api/reservations/${id}/timeline?limit=500`)).items;
  /** Undefined while nothing is known of it. */
  status = async (id: number) => (await this.http.readReservation(id).catch(() => undefined))?.status.code;
  /** How often the platform got this request. */
  async requests(id: number, operation: string): Promise<number> {
    const path = `/sandbox/journal?kind=request&reservationId=${id}&limit=500`;
    const { items } = await readJson<{ items: { operation: string }[] }>(
      this.ready.sandbox + path,
      deployment.supplierKey(),
    );
    return items.filter((one) => one.operation === operation).length;
  }
  settled = () =>
    eventually(
      'every callback has its verdict',
      async () => {
        const items = await this.items();
        return items.length > 0 && items.every(({ state }) => state === 'done');
      },
      120_000,
    );
  async stop(): Promise<void> {
    this.run.signal('SIGTERM');
    expect(await this.run.ended).toBe(0);
  }
}

/** As if the last callbacks of a reservation were with their workflow, without a verdict, for eleven minutes. */
async function loseVerdicts(reservationId: number, since: number): Promise<number> {
  const database = await openHandoverDatabase({ folder: join(deployment.dataDir, 'db') });
  try {
    await database.db.execute(sql`
      delete from timeline where reservation_id = ${reservationId} and (data ->> 'inboxId')::bigint > ${since}`);
    const lost = await database.db
      .update(inbox)
      .set({ state: 'sent', verdict: null, rule: null, verdictAt: null, sentAt: Date.now() - 11 * 60_000 })
      .where(sql`${eq(inbox.reservationId, reservationId)} and ${gt(inbox.id, since)}`)
      .returning({ id: inbox.id });
    return lost.length;
  } finally {
    await database.close();
  }
}

it('after Temporal is restored from a backup, events without a verdict are sent again and a replay repairs the rest; no action is sent twice, no entry is lost', async () => {
  const state = join(deployment.dataDir, 'temporal');
  const backup = join(deployment.folder, 'backup');
  let product = await Product.start();
  const [productId = 0, other = 0] = await product.http.listProducts();
  const book = (from: number, at: number) =>
    product.http.book(from, 'restore', Date.now() + at * hour, Date.now() + (at + 1) * hour);
  const [dispatched, cancelled, late, quiet] = [
    await book(productId, 1),
    await book(other, 1),
    await book(productId, 24),
    await book(other, 24),
  ];
  for (const id of [dispatched, cancelled, late, quiet])
    await eventually('it is announced', async () => (await product.status(id)) === 5, 60_000);
  expect((await product.assignStaff(dispatched, 'staff-1')).status).toBe(200);
  await product.settled();
  const before = Math.max(...(await product.items()).map(({ id }) => id));
  const backedUpAt = new Date();
  await product.stop();
  await cp(state, backup, { recursive: true });

  product = await Product.start();
  expect((await product.startDispatch(dispatched, 'start-1')).status).toBe(200);
  await product.http.makeMove(cancelled, { who: 'customer', move: 'cancel' });
  await product.http.makeMove(late, { who: 'website', endAt: Date.now() + 30 * hour });
  const made = await book(productId, 48);
  const ids = [dispatched, cancelled, late, quiet, made];
  const codes = new Map([
    [dispatched, 10],
    [cancelled, 40],
    [late, 5],
    [quiet, 5],
    [made, 5],
  ]);
  const isAsBefore = () =>
    eventually(
      'each reservation is as before',
      async () => {
        for (const [id, code] of codes) if ((await product.status(id)) !== code) return false;
        return true;
      },
      120_000,
    );
  await isAsBefore();
  await eventually('all are announced', async () => (await product.items()).length > before + 3, 60_000);
  await product.settled();
  await product.stop();
  const lost = await loseVerdicts(late, before);
  expect(lost).toBeGreaterThan(0);
  await rm(state, { recursive: true });
  await cp(backup, state, { recursive: true });

  product = await Product.start();
  const stored = new Map<number, Entry[]>();
  for (const id of ids) stored.set(id, await product.timeline(id));
  await product.settled();
  const resent = (await product.items()).filter(({ resends }) => resends > 0);
  expect(resent.map(({ reservationId }) => reservationId)).toEqual(Array(lost).fill(late));
  // Temporal has forgotten the action, and the platform has not
  expect(await product.status(dispatched)).toBe(5);
  const again = await product.startDispatch(dispatched, 'start-1');
  expect(again).toMatchObject({ status: 202, body: { outcome: 'unknown', code: 'RUN_LOST' } });
  expect((await product.assignStaff(quiet, 'staff-2')).status).toBe(200);

  const replay = { reason: 'Temporal was restored', from: backedUpAt.toISOString() };
  expect((await product.write('POST', '/api/inbox/replay', 'replay-1', replay)).status).toBe(202);
  await isAsBefore();
  await product.settled();
  expect(await product.requests(dispatched, 'dispatchStart')).toBe(1);
  for (const id of ids) {
    const entries = await product.timeline(id);
    const earlier = stored.get(id) ?? [];
    expect(entries.slice(0, earlier.length)).toEqual(earlier);
    const contents = entries.map(({ seq: _, ...content }) => JSON.stringify(content));
    expect(new Set(contents).size).toBe(contents.length);
  }
  await product.stop();
}, 600_000);
