import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/temporal/server/ports.js';
import { type ActionPath, dispatchActions, recallActions } from '../../src/tools/player/actions.js';
import { createSender, mustSucceed } from '../../src/tools/player/http.js';
import { peopleNamed } from '../../src/tools/player/people.js';
import { Player } from '../../src/tools/player/player.js';
import { ownDatabase } from '../support/database.js';
import type { TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { buildRelease, previousRelease } from '../support/previous-release.js';
import { Deployment, type Run } from '../support/process.js';
import { serverBinary, versionedServer, withoutServer } from '../support/versioned-server.js';

const postgres = process.env.HANDOVER_TEST_DATABASE_URL;
const previous = previousRelease();
const without = [
  postgres === undefined ? ' (skipped: no HANDOVER_TEST_DATABASE_URL)' : '',
  previous === undefined
    ? ' (skipped: the history lacks the release before this one, `git fetch --unshallow`)'
    : '',
  withoutServer,
].join('');

const reservations = 200;
/** Five more begin on each release while both run. */
const booked = reservations + 10;
const atOnce = 8;
const hour = 3_600_000;
const token = 'staff-token-of-this-test-only';
const [assign, start, parking, photo, complete] = dispatchActions as [
  ActionPath,
  ActionPath,
  ActionPath,
  ActionPath,
  ActionPath,
];

describe.skipIf(without !== '')(`this release and ${previous} together${without}`, () => {
  const database = ownDatabase(postgres ?? '');
  let engine: TestDevServer;
  let deployment: Deployment;
  let older: string;
  beforeAll(async () => {
    older = await buildRelease(previous ?? '');
    engine = await versionedServer(serverBinary ?? '');
    deployment = await Deployment.create();
  }, 400_000);
  afterAll(async () => {
    await deployment?.remove();
    await engine?.stop();
  });

  it(`${reservations} open reservations pass from one to the other, back and again: none is stuck, lost or unknown`, async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const port = await freePort();
    const apiUrl = `http://127.0.0.1:${port}`;
    const sandbox = deployment.run(['sandbox'], {
      SANDBOX_KEYS: 'channel:channel-key,supplier:supplier-key:11',
      SANDBOX_CALLBACK_URL: apiUrl,
      SANDBOX_CALLBACK_SECRET: secret,
    });
    const [, sandboxUrl = ''] = await sandbox.says(/sandbox platform on (\S+)/);
    const shared = {
      CALLBACK_SECRETS: secret,
      DATABASE_URL: await database(),
      BLOB_URL: join(deployment.folder, 'photos'),
      CODEC_KEYS: `one:${randomBytes(32).toString('base64')}`,
      // the release before does not read what is under data keys
      CODEC_DATA_KEYS: 'off',
      TEMPORAL_ADDRESS: engine.address,
      PLATFORM_BASE_URL: sandboxUrl,
      PLATFORM_CHANNEL_API_KEY: 'channel-key',
      PLATFORM_SUPPLIER_API_KEY: 'supplier-key',
    };
    const versions = { ...shared, TEMPORAL_DEPLOYMENT_NAME: 'handover', TEMPORAL_WORKER_BUILD_ID: 'new' };
    const apis: Run[] = [];
    const startApi = async (cli?: string) => {
      const api = deployment.run(
        ['api'],
        { ...shared, HANDOVER_PORT: String(port), HANDOVER_TOKENS: `staff:${token}` },
        cli,
      );
      apis.push(api);
      await api.says(/status API and receiver on/);
      return api;
    };
    const release = async (...args: string[]) => {
      const run = deployment.run(['release', ...args], versions);
      return { code: await run.ended, text: run.stdout + run.stderr };
    };
    const promote = async (...args: string[]) =>
      expect(await release('promote', ...args)).toMatchObject({ code: 0 });
    /** For a return to workers without a version. @returns how many runs were woken */
    const moveAll = async () => {
      const { code, text } = await release('move', '--unversioned', '--per-second', '100');
      expect([code, text]).toEqual([0, expect.stringMatching(/^\d+ open runs of every version were woken/m)]);
      return Number(/^\d+/m.exec(text)?.[0]);
    };
    /** Open runs that are pinned to this release. */
    const pinned = (count: number, wake = async () => {}) =>
      eventually(
        `${count} open runs are pinned to it`,
        async () => {
          if (JSON.parse((await release('status', '--json')).text).versions[0].open === count) return true;
          await wake();
          return false;
        },
        90_000,
        2_000,
      );
    const fleet = new Fleet(apiUrl, sandboxUrl, () => errorsIn(apis));

    const olderApi = await startApi(older);
    const olderWorker = deployment.run(['worker'], shared, older);
    await olderWorker.says(/worker and relay run/);
    await fleet.book(reservations);
    await fleet.act(assign);

    // the new release comes: its api brings the tables up to date beside the older worker
    await ends(olderApi);
    await startApi();
    const worker = deployment.run(['worker'], versions);
    await worker.says(/worker and relay run/);
    expect(await release('check', '--sample', '50')).toMatchObject({ code: 0 });
    await fleet.act(start);
    await pinned(0);
    await promote();
    await fleet.act(parking);
    await pinned(reservations);
    await fleet.book(5);
    await promote('--unversioned');
    await fleet.act(photo, 0, reservations);
    await fleet.book(5);
    // the five that began on it are idle; of the others, any whose queue learned of the promotion late
    let woken = 0;
    await pinned(0, async () => {
      woken += await moveAll();
    });
    expect(woken).toBeGreaterThanOrEqual(5);
    await fleet.act(assign, reservations);
    await promote();
    await fleet.act(complete, 0, reservations);
    for (const action of [start, parking, photo, complete]) await fleet.act(action, reservations);
    await pinned(booked);
    await fleet.useAndReturn();
    // every open run has a version: this release alone brings each to its end
    await ends(olderWorker);
    for (const action of recallActions) await fleet.act(action);
    await fleet.untilAll(35);
    expect(await fleet.outcomes()).toEqual(['applied']);
    for (const action of [...dispatchActions, ...recallActions])
      expect([action, await fleet.sent(action)]).toEqual([action, booked]);
    await eventually(
      'every callback has its verdict',
      async () => (await unjudged(shared.DATABASE_URL)) === 0,
      60_000,
      500,
    );
  }, 900_000);
});

/** What staff and customers do with many reservations. */
class Fleet {
  private readonly ids: number[] = [];
  private readonly send;
  private readonly controls;
  private readonly player: Player;
  constructor(
    apiUrl: string,
    sandboxUrl: string,
    private readonly errors: () => string,
  ) {
    this.send = createSender(apiUrl, token);
    this.controls = mustSucceed(createSender(sandboxUrl, 'supplier-key'));
    this.player = new Player(this.untilTaken, this.controls, peopleNamed('Release'));
  }

  /** What has no outcome yet is sent again with its key, as the console does. */
  private readonly untilTaken: typeof this.send = async (method, path, options) =>
    eventually(
      `${method} ${path} is taken`,
      async () => {
        const answer = await this.send(method, path, options);
        if (answer.status < 300 && answer.status !== 202) return answer;
        if (method === 'GET' && answer.status === 404) return answer;
        if ([202, 404, 503].includes(answer.status)) return undefined;
        throw new Error(
          `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}\n${this.errors()}`,
        );
      },
      120_000,
      250,
    );

  async book(count: number): Promise<void> {
    const from = this.ids.length;
    await each(count, async (index) => {
      const slot = from + index;
      const startAt = Date.now() + 2 * hour + slot * 24 * hour;
      const rental = { productId: slot % 2 === 0 ? 301 : 302, startAt, endAt: startAt + 4 * hour };
      const { body } = await this.player.book(rental, randomUUID());
      this.ids[slot] = body.reservationId;
    });
    await this.untilAll(5, from);
  }

  /** On those from index `from` to before `to`. */
  async act(action: ActionPath, from = 0, to = this.ids.length): Promise<void> {
    await each(
      to - from,
      async (index) => void (await this.player.act(this.id(from + index), action, randomUUID())),
    );
  }

  async useAndReturn(): Promise<void> {
    await this.untilAll(15);
    await each(this.ids.length, async (index) => {
      await this.player.moveAsCustomer(this.id(index), 'start-use');
      await this.player.moveAsCustomer(this.id(index), 'return');
    });
    await this.untilAll(30);
  }

  async untilAll(code: number, from = 0): Promise<void> {
    await each(this.ids.length - from, async (index) => {
      const id = this.id(from + index);
      await eventually(
        `reservation ${id} comes to ${code}`,
        async () => (await this.player.read(id)).body.status?.code === code,
        120_000,
        250,
      );
    });
  }

  /** Of all commands, each once. */
  async outcomes(): Promise<string[]> {
    const found = new Set<string>();
    await each(this.ids.length, async (index) => {
      const { body } = await this.player.read(this.id(index));
      for (const { outcome } of body.commands) found.add(outcome);
    });
    return [...found];
  }

  /** How many requests of an action reached the platform. */
  async sent(action: ActionPath): Promise<number> {
    const filter = { kind: 'request', operation: action, atLeast: 0 };
    const { body } = await this.controls('POST', '/sandbox/journal/assert', { body: filter });
    return body.count;
  }

  private id(index: number): number {
    return this.ids[index] ?? expect.fail(`reservation ${index} is not booked`);
  }
}

async function each(count: number, act: (index: number) => Promise<void>): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const take = async () => {
    for (const index of indexes) await act(index);
  };
  await Promise.all(Array.from({ length: atOnce }, take));
}

/** Callbacks without a verdict. */
async function unjudged(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query("select count(*)::int as open from inbox where state <> 'done'");
  await client.end();
  return rows[0].open;
}

/** The newest errors in the logs of these processes. */
function errorsIn(runs: readonly Run[]): string {
  const lines = runs.flatMap(({ stdout, stderr }) => `${stdout}\n${stderr}`.split('\n'));
  return lines
    .filter((line) => /"level":"error"|"level":50/.test(line))
    .slice(-5)
    .join('\n');
}

async function ends(run: Run): Promise<void> {
  run.signal('SIGTERM');
  expect(await run.ended).toBe(0);
}
