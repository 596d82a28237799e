import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../bench/free-ports.js';
import { KeyRing } from '../../src/store/sealing/aes-gcm.js';
import { backupOf, withBinaries } from '../support/backup.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { readable } from '../support/intruder.js';
import { Deployment, type Run } from '../support/process.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const dumper = spawnSync('pg_dump', ['--version']).status === 0;
const without =
  server === undefined ? ' (skipped: no HANDOVER_TEST_DATABASE_URL)' : dumper ? '' : ' (skipped: no pg_dump)';
const hour = 3_600_000;
const person = {
  name: 'Hong Gil-dong',
  birth: '19850417',
  phone: '01055512001',
  licenseNumber: '11-85-004170-01',
  address: '12 Driver-ro, Mapo-gu',
};
const memo = 'wears a red hat';
const personal = [...Object.values(person), memo];
const manager = 'manager-token-of-this-test';

describe.skipIf(server === undefined || !dumper)(`handover erase${without}`, () => {
  const database = ownDatabase(server ?? '');
  const key = { id: 'one', key: randomBytes(32) };
  let deployment: Deployment;
  let shared: Record<string, string>;
  let api: string;
  const runs: Run[] = [];
  beforeAll(async () => {
    deployment = await Deployment.create();
    const [port, enginePort] = await freePorts(2);
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    api = `http://127.0.0.1:${port}`;
    const sandbox = deployment.run(['sandbox'], {
      SANDBOX_KEYS: 'channel:channel-key,supplier:supplier-key:11',
      SANDBOX_CALLBACK_URL: api,
      SANDBOX_CALLBACK_SECRET: secret,
    });
    const [, sandboxUrl = ''] = await sandbox.says(/sandbox platform on (\S+)/);
    const engine = deployment.run(['engine'], { HANDOVER_TEMPORAL_PORT: String(enginePort) });
    shared = {
      CALLBACK_SECRETS: secret,
      DATABASE_URL: await database(),
      BLOB_URL: join(deployment.folder, 'photos'),
      CODEC_KEYS: `${key.id}:${key.key.toString('base64')}`,
      TEMPORAL_ADDRESS: `127.0.0.1:${enginePort}`,
      PLATFORM_BASE_URL: sandboxUrl,
      PLATFORM_CHANNEL_API_KEY: 'channel-key',
      PLATFORM_SUPPLIER_API_KEY: 'supplier-key',
      HANDOVER_SETTLE: 'PT1S',
      LOG_LEVEL: 'debug',
    };
    const tokens = { HANDOVER_PORT: String(port), HANDOVER_TOKENS: `manager:${manager}` };
    runs.push(deployment.run(['api'], { ...shared, ...tokens }), deployment.run(['worker'], shared), engine);
    await runs[0]?.says(/status API and receiver on/);
    await runs[1]?.says(/worker and relay run/);
    await eventually('it is ready', async () => (await fetch(`${api}/readyz`)).status === 200, 60_000, 100);
  }, 200_000);
  afterAll(() => deployment?.remove());

  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  const ask = async (method: string, path: string, json?: object): Promise<{ status: number; body: any }> => {
    const response = await fetch(api + path, {
      method,
      headers: {
        authorization: `Bearer ${manager}`,
        'idempotency-key': randomUUID(),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return { status: response.status, body: await response.json() };
  };
  let days = 1;
  async function book(driver: object): Promise<number> {
    const startAt = Date.now() + 24 * hour * days++;
    const json = {
      productId: 301,
      startAt: new Date(startAt).toISOString(),
      endAt: new Date(startAt + 4 * hour).toISOString(),
      pickupAddress: '1 Sejong-daero',
      pickupMemo: memo,
      driver,
    };
    const { status, body } = await ask('POST', '/api/reservations', json);
    expect(status, JSON.stringify(body)).toBe(201);
    return body.reservationId;
  }
  async function close(id: number): Promise<void> {
    const moved = await fetch(`${shared.PLATFORM_BASE_URL}/sandbox/reservations/${id}/cancel`, {
      method: 'POST',
      headers: { authorization: 'Bearer channel-key' },
    });
    expect(moved.status).toBeLessThan(300);
    const isListed = async () => {
      const { body } = await ask('GET', '/api/reservations?closed=true');
      return body.items.some(({ reservationId }: { reservationId: number }) => reservationId === id);
    };
    await eventually('it is closed', isListed, 60_000, 200);
  }
  const erase = async (...args: string[]) => {
    const run = deployment.run(['erase', ...args], shared);
    const code = await run.ended;
    return { code, json: run.stdout === '' ? null : JSON.parse(run.stdout), stderr: run.stderr };
  };
  /** What a backup of the database shows to a person who has CODEC_KEYS. */
  const backup = async () => {
    const ring = new KeyRing([key]);
    return withBinaries(await backupOf(shared.DATABASE_URL ?? ''), (bytes) => readable(bytes, ring));
  };

  it('finds a person, refuses the open reservation, and leaves nothing in backups and logs', async () => {
    const closed = await book(person);
    await close(closed);
    const open = await book({ ...person, name: 'Another Name', phone: '01000000009', licenseNumber: '99' });
    const before = await backup();
    for (const value of personal) expect(before, value).toContain(value);

    expect(await erase('--driver', '010-5551-2001', '--dry-run')).toMatchObject({ code: 1, json: null });
    const preview = await erase('--by', 'dpo', '--driver', '010-5551-2001', '--dry-run');
    const reads = (await ask('GET', '/api/audit')).body.items.filter(
      ({ by }: { by: string }) => by === 'dpo',
    );
    expect(reads).toMatchObject([{ action: 'reservation.read', subject: `reservation/${closed}` }]);
    expect(preview).toMatchObject({ code: 0, json: { wouldErase: { reservations: [closed] } } });
    expect(await erase('--by', 'dpo', '--reservation', String(open))).toMatchObject({
      code: 1,
      json: { certificate: null, refused: [{ reservationId: open, code: 'RESERVATION_OPEN' }] },
    });
    expect(await erase('--reservation', String(closed))).toMatchObject({ code: 1, json: null });
    expect(await erase('--by', 'dpo', '--reservation', 'all')).toMatchObject({ code: 1, json: null });

    const { code, json } = await erase('--by', 'dpo', '--driver', '11 85 004170 01', '--json');
    expect(code).toBe(0);
    expect(json).toMatchObject({ refused: [], certificate: { by: 'dpo', reservations: [closed] } });
    expect(await erase('--certificates')).toMatchObject({ code: 0, json: [json.certificate] });
    expect((await ask('GET', '/api/erasures')).body.items).toMatchObject([{ by: 'dpo', cause: 'driver' }]);

    const after = await backup();
    // the open reservation has an address and a memo of its own
    const own = [person.name, person.phone, person.licenseNumber];
    expect(own.filter((value) => after.includes(value))).toEqual([]);
    for (const run of runs) {
      for (const value of personal) expect(run.stdout + run.stderr).not.toContain(value);
    }
  }, 200_000);
});
