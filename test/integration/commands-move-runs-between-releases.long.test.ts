import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReleaseVersion } from '../../src/temporal/client/releases.js';
import { versioningOf } from '../../src/temporal/worker/versioning.js';
import { testDataConverter } from '../support/codec.js';
import type { TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { Deployment } from '../support/process.js';
import { releaseOf, runsOn } from '../support/release-of.js';
import { TestReservation } from '../support/reservations.js';
import { startTestWorker } from '../support/test-worker.js';
import { serverBinary, versionedServer, withoutServer } from '../support/versioned-server.js';

const log = pino({ level: 'silent' });
const deploymentName = 'handover';
const ofFirst = "WorkflowId = 'reservation-1'";

describe.skipIf(serverBinary === undefined)(`\`handover release\` as a process${withoutServer}`, () => {
  const taskQueue = `commands-${randomUUID()}`;
  const platform = new FakePlatform();
  const rentals: TestReservation[] = [];
  const stops: (() => Promise<void>)[] = [];
  let engine: TestDevServer;
  let deployment: Deployment;

  /** @param buildId undefined: it has no version */
  const startWorker = async (buildId: string | undefined) => {
    const { nativeConnection: connection, namespace } = engine;
    const activities = platform.activities();
    const common = { connection, namespace, taskQueue, activities, dataConverter: testDataConverter };
    const version = buildId === undefined ? undefined : { deploymentName, buildId };
    const versioning = await versioningOf(connection, version, { namespace, log });
    stops.push(await startTestWorker({ ...common, versioning }));
  };
  const release = async (args: string[], setting: Record<string, string> = {}) => {
    const run = deployment.run(['release', ...args], {
      TEMPORAL_ADDRESS: engine.address,
      TEMPORAL_DEPLOYMENT_NAME: deploymentName,
      ...setting,
    });
    return { code: await run.ended, text: run.stdout + run.stderr };
  };
  const succeed = async (...args: string[]) => {
    const { code, text } = await release(args);
    expect([code, text]).toEqual([0, expect.any(String)]);
    return text;
  };
  const openRuns = async () => {
    const { versions } = JSON.parse(await succeed('status', '--json')) as { versions: ReleaseVersion[] };
    return Object.fromEntries(versions.map(({ buildId, open }) => [buildId, open]));
  };
  /** Visibility lists a run under its version a moment later. */
  const movesTo = (buildId: string | undefined, moved: TestReservation[]) =>
    eventually(
      `all are moved to ${buildId}`,
      async () => {
        const target = buildId === undefined ? ['--unversioned'] : ['--build-id', buildId];
        await succeed('move', ...target, '--per-second', '100');
        return (await Promise.all(moved.map(releaseOf))).every((found) => found === buildId);
      },
      60_000,
      500,
    );

  beforeAll(async () => {
    engine = await versionedServer(serverBinary ?? '', testDataConverter);
    deployment = await Deployment.create();
    for (const buildId of ['one', 'two']) await startWorker(buildId);
    await succeed('promote', '--build-id', 'one');
    for (const id of [1, 2, 3]) {
      const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, id);
      await rental.deliver(rental.event({ status: 5 }));
      await runsOn(rental, 'one');
      rentals.push(rental);
    }
  }, 240_000);
  afterAll(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await deployment?.remove();
    await engine?.stop();
  });

  beforeEach(async () => {
    await succeed('promote', '--build-id', 'two');
    await movesTo('two', rentals);
  }, 120_000);

  it('promote and move lead idle reservations to another version, and status counts them there', async () => {
    await eventually('status has it', async () => {
      const { one, two } = await openRuns();
      return one === 0 && two === rentals.length;
    });
    expect(await succeed('status')).toMatch(/^current +handover two: 3 open runs are pinned to it$/m);
  });

  it('move --force has another version continue the runs of its query, until a move to a version', async () => {
    const [forced, ...others] = rentals as [TestReservation, TestReservation, TestReservation];
    expect(await succeed('move', '--force', '--build-id', 'one'), 'none fails').toMatch(/^0 open runs/);
    const text = await succeed('move', '--force', '--build-id', 'one', '--query', ofFirst);
    expect(text).toMatch(/^1 open runs are continued by one,/);
    await forced.sendAction('dispatch.staff');
    await runsOn(forced, 'one');
    for (const other of others) expect(await releaseOf(other)).toBe('two');
    await movesTo('two', [forced]);
    expect((await forced.view()).commands.map(({ outcome }) => outcome)).toEqual(['applied']);
  });

  it.each([
    ['a query without --force', ['--query', ofFirst], deploymentName, '--query needs --force'],
    ['no name of the deployment', [], '', 'TEMPORAL_DEPLOYMENT_NAME'],
    ['a version that no worker has', ['--build-id', 'none'], deploymentName, 'has the build id none'],
    [
      'a version that no worker has, and --force',
      ['--force', '--build-id', 'none', '--query', ofFirst],
      deploymentName,
      'has the build id none',
    ],
    ['a deployment that no worker has', ['--build-id', 'two'], 'another', 'TEMPORAL_DEPLOYMENT_NAME'],
  ])('a move with %s moves nothing and ends with code 1', async (_, args, name, reason) => {
    const before = await Promise.all(rentals.map(releaseOf));
    const { code, text } = await release(['move', ...args], { TEMPORAL_DEPLOYMENT_NAME: name });
    expect([code, text]).toEqual([1, expect.stringContaining(reason)]);
    expect(await Promise.all(rentals.map(releaseOf))).toEqual(before);
  });

  // the last one: its runs have no version any more
  it('move --unversioned wakes the runs of every version, also a forced one, for a return to workers without one', async () => {
    await startWorker(undefined);
    await succeed('move', '--force', '--build-id', 'one', '--query', ofFirst);
    await succeed('promote', '--unversioned');
    await movesTo(undefined, rentals);
  }, 120_000);
});
