import { writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../src/temporal/server/ports.js';
import { eventually } from '../support/eventually.js';
import { Deployment, type Run, readJson } from '../support/process.js';
import { ask, callback, env, isAccepted, token } from '../support/without-temporal.js';

const holds = fileURLToPath(new URL('../support/held-threads.mjs', import.meta.url));

/** `handover up` with CALLBACK_PORT and the embedded database, and no Temporal. */
describe('with a port of its own for callbacks, the embedded database', () => {
  let deployment: Deployment;
  let up: Run;
  let api: string;
  let receiver: string;
  let held: string;
  let reservationId = 0;
  beforeAll(async () => {
    deployment = await Deployment.createWithDatabases();
    held = join(deployment.folder, 'held');
    await mkdir(held);
  });
  afterAll(() => deployment?.remove());
  beforeEach(start);

  async function start() {
    await up?.kill();
    const port = await freePort();
    up = deployment.run(['up', '--no-demo'], {
      ...env,
      CALLBACK_PORT: '0',
      HANDOVER_PORT: String(port),
      TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
      NODE_OPTIONS: `--import=${holds}`,
      HELD_THREADS: held,
    });
    api = `http://127.0.0.1:${port}`;
    [, receiver = ''] = await up.says(/Callbacks are accepted on (\S+);/);
  }

  /** One more reservation is registered. @returns its id */
  async function send(): Promise<number> {
    reservationId += 1;
    expect(await callback(receiver, reservationId)).toBe(204);
    return reservationId;
  }

  /** The reservations whose callbacks are stored. */
  async function stored(): Promise<number[]> {
    const { items } = await readJson<{ items: { reservationId: number }[] }>(`${api}/api/inbox`, token);
    return items.map((item) => item.reservationId);
  }

  /** Asks again and again. @returns ends that, with all answers */
  function answersWhile<Answer>(question: () => Promise<Answer>): () => Promise<Answer[]> {
    const answers: Answer[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) answers.push(await question());
    })();
    return async () => {
      isOver = true;
      await asking;
      return answers;
    };
  }

  const receivesAgain = () => eventually('it receives again', () => isAccepted(receiver, 999), 60_000);

  it('stores callbacks while the thread of status API, relay and worker does nothing else', async () => {
    writeFileSync(join(held, 'main'), '');
    const isBusy = () =>
      fetch(`${api}/healthz`, { signal: AbortSignal.timeout(200) }).then(
        () => false,
        () => true,
      );
    const sent: number[] = [];
    try {
      await eventually('the status API does not answer', isBusy);
      for (let n = 0; n < 3; n++) sent.push(await send());
      expect((await fetch(`${receiver}/readyz/intake`)).status).toBe(200);
    } finally {
      await rm(join(held, 'main'));
    }
    expect(await stored()).toEqual(expect.arrayContaining(sent));
  });

  it('opens again where its thread fails: nothing that was acknowledged is lost, the process continues, the log has it', async () => {
    const before = await send();
    const refusals = answersWhile(() => ask(api, '/api/inbox'));
    writeFileSync(join(held, 'throw-database'), '');
    await eventually('the log has it', () => /the embedded database ended/.test(deployment.log()));
    expect((await fetch(`${api}/healthz`)).status).toBe(200);
    await receivesAgain();
    expect(await refusals()).toContainEqual({ status: 503, code: 'STORE_UNAVAILABLE' });
    const after = await send();
    expect(await stored()).toEqual(expect.arrayContaining([before, after]));
  });

  it('serves the receiver that starts again where its thread fails', async () => {
    const before = await send();
    writeFileSync(join(held, 'throw-receiver'), '');
    await eventually('the log has it', () => /the callback receiver ended/.test(deployment.log()));
    await receivesAgain();
    const after = await send();
    expect(await stored()).toEqual(expect.arrayContaining([before, after]));
  });

  it('ends with the process, and the next start has what was acknowledged', async () => {
    const before = await send();
    up.signal('SIGTERM');
    expect(await up.ended).toBe(0);
    expect(deployment.log()).not.toContain('did not stop cleanly');
    await start();
    expect(await stored()).toContain(before);
  });

  // it takes more than a minute
  if (process.env.HANDOVER_TEST_LONG === '1')
    it('opens again where a statement hangs', async () => {
      const before = await send();
      writeFileSync(join(held, 'hang-database'), '');
      await eventually(
        'the log has it',
        () => /the thread of the database hangs/.test(deployment.log()),
        120_000,
      );
      expect((await fetch(`${api}/healthz`)).status).toBe(200);
      await receivesAgain();
      expect(await stored()).toContain(before);
    }, 200_000);
});
