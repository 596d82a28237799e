import { writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../src/temporal/server/ports.js';
import { callbackSecret, pathOf, signedHeaders, statusBody } from '../support/callbacks.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Deployment, type Run } from '../support/process.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ' (skipped: no HANDOVER_TEST_DATABASE_URL)' : '';
const holds = fileURLToPath(new URL('../support/held-threads.mjs', import.meta.url));

/** `handover api` with CALLBACK_PORT and a database server, and no Temporal. */
describe.skipIf(server === undefined)(`a receiver with a port of its own${without}`, () => {
  const database = ownDatabase(server ?? '');
  let deployment: Deployment;
  let api: Run;
  let url: string;
  let receiver: string;
  let held: string;
  let sent = 0;
  beforeAll(async () => {
    deployment = await Deployment.create();
    held = join(deployment.folder, 'held');
    await mkdir(held);
  });
  afterAll(() => deployment?.remove());
  beforeEach(async () => {
    await api?.kill();
    api = deployment.run(['api'], {
      CALLBACK_SECRETS: callbackSecret,
      CALLBACK_PORT: '0',
      DATABASE_URL: await database(),
      CODEC_KEYS: `one:${Buffer.alloc(32, 'key').toString('base64')}`,
      TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
      HANDOVER_TOKENS: 'staff:staff-token-of-this-test',
      HANDOVER_DRAIN: 'PT3S',
      NODE_OPTIONS: `--import=${holds}`,
      HELD_THREADS: held,
    });
    [, receiver = ''] = await api.says(/callback receiver on (\S+)/);
    [, url = ''] = await api.says(/status API on (\S+)/);
  });

  /** @returns the status of the answer */
  async function send(): Promise<number> {
    const body = statusBody(8421, 10);
    sent += 1;
    const headers = signedHeaders(body, { id: `msg_${sent}` });
    const answer = await fetch(receiver + pathOf('status'), {
      method: 'POST',
      body,
      headers,
      signal: AbortSignal.timeout(10_000),
    });
    return answer.status;
  }

  async function stored(): Promise<string[]> {
    const client = new pg.Client({ connectionString: await database() });
    await client.connect();
    const { rows } = await client.query('select event_id from inbox order by id');
    await client.end();
    return rows.map(({ event_id }) => event_id);
  }

  it('acknowledges callbacks while the thread of status API and consoles does nothing else', async () => {
    const before = sent;
    writeFileSync(join(held, 'main'), '');
    try {
      const isBusy = async () => {
        const asked = fetch(`${url}/healthz`, { signal: AbortSignal.timeout(200) });
        return asked.then(() => false).catch(() => true);
      };
      await eventually('the status API does not answer', isBusy);
      for (let n = 0; n < 3; n++) expect(await send()).toBe(204);
      expect((await fetch(`${receiver}/readyz/intake`)).status).toBe(200);
      expect(await stored()).toEqual(expect.arrayContaining([`msg_${before + 1}`, `msg_${before + 3}`]));
    } finally {
      await rm(join(held, 'main'));
    }
    await eventually('its callbacks are counted by the process', async () =>
      /^handover_callbacks_total\{channel="status",outcome="stored"\} 3$/m.test(await metrics()),
    );
    const { receiver: figures } = await intake();
    expect(figures.accepted.perSecond5m).toBeGreaterThan(0);
    expect(figures.acknowledgedMs.p50).toBeGreaterThan(0);
  });

  it('starts again where its thread fails: the rest of the process runs, the log has the error, no counter falls', async () => {
    for (let n = 0; n < 3; n++) expect(await send()).toBe(204);
    const commits = /^handover_database_statement_seconds_count\{pool="commit"\} (\d+)$/m;
    const counted = async (of: RegExp) => Number(of.exec(await metrics())?.[1] ?? 0);
    await eventually('the callbacks are counted', async () => (await counted(commits)) >= 3);
    const before = await counted(commits);
    writeFileSync(join(held, 'throw-receiver'), '');
    await eventually('the log has it', () => /the test ends this thread/.test(api.stderr));
    await eventually('it receives again', isAccepted);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await stored()).toContain(`msg_${sent}`);
    expect(await counted(commits)).toBeGreaterThanOrEqual(before);
    expect(await counted(/^handover_receiver_restarts_total (\d+)$/m)).toBe(1);
  });

  it('is not ready while it is started again, and a stop in that moment ends the process too', async () => {
    writeFileSync(join(held, 'throw-receiver'), '');
    await eventually('it ended', () => /it is started again/.test(api.stderr));
    expect((await fetch(`${url}/readyz/intake`)).status).toBe(503);
    api.signal('SIGTERM');
    expect(await api.ended).toBe(0);
    expect(api.stderr).not.toContain('did not stop cleanly');
  });

  // it takes half a minute
  if (process.env.HANDOVER_TEST_LONG === '1')
    it('is replaced where its thread hangs, and is not ready meanwhile', async () => {
      writeFileSync(join(held, 'hang-receiver'), '');
      const isReady = async () => (await fetch(`${url}/readyz/intake`)).status === 200;
      await eventually('the status API knows', async () => !(await isReady()), 20_000);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await eventually('it receives again', isAccepted, 120_000, 500);
      expect(api.stderr).toContain('the callback receiver hangs');
      await eventually('it is ready', isReady);
    }, 200_000);

  it('is not ready from the first moment of a stop, still acknowledges, and ends with the process', async () => {
    api.signal('SIGTERM');
    const isReady = async () => (await fetch(`${receiver}/readyz/intake`)).status === 200;
    await eventually('it is not ready', async () => !(await isReady()));
    expect(await send()).toBe(204);
    expect(await api.ended).toBe(0);
    expect(await stored()).toContain(`msg_${sent}`);
    expect(api.stderr).toContain('"thread":"receiver","part":"callback receiver","msg":"stopped"');
    expect(api.stderr).not.toContain('did not stop cleanly');
  });

  const isAccepted = () =>
    send().then(
      (status) => status === 204,
      () => false,
    );
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  async function intake() {
    const headers = { authorization: 'Bearer staff-token-of-this-test' };
    const answer = await fetch(`${url}/api/intake`, { headers });
    expect(answer.status).toBe(200);
    return (await answer.json()) as {
      receiver: { accepted: { perSecond5m: number }; acknowledgedMs: { p50: number } };
    };
  }
});
