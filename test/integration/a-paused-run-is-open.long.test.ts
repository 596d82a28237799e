import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservationWorkflow, reservationWorkflowId } from '../../src/contract/names.js';
import { drawOpenRuns } from '../../src/temporal/client/open-runs.js';
import { openCondition } from '../../src/temporal/client/open-status.js';
import { openReservations } from '../../src/temporal/client/reservations/believed.js';
import { overrideVersion } from '../../src/temporal/client/version-override.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { serverBinary, versionedServer, withoutServer } from '../support/versioned-server.js';

const workflowId = reservationWorkflowId(7);
const begin = ({ client }: TestDevServer) =>
  client.workflow.start(reservationWorkflow, { workflowId, taskQueue: 'no-worker', args: [] });
const listed = ({ client }: TestDevServer) =>
  eventually(
    'it is listed',
    async () => {
      const open = await openReservations(client, () => {});
      return open.length > 0 && open.map(({ reservationId }) => reservationId);
    },
    20_000,
  );

describe('the embedded engine, which cannot pause runs', () => {
  let engine: TestDevServer;
  beforeAll(async () => {
    engine = await devServer();
  });
  afterAll(() => engine?.stop());

  it('lists those that run', async () => {
    const handle = await begin(engine);
    expect(await listed(engine)).toEqual([7]);
    expect(await openCondition(engine.client)).toBe("ExecutionStatus = 'Running'");
    await handle.terminate();
  });
});

describe.skipIf(serverBinary === undefined)(`a Temporal server of 1.31 or newer${withoutServer}`, () => {
  let engine: TestDevServer;
  beforeAll(async () => {
    engine = await versionedServer(serverBinary ?? '');
  }, 120_000);
  afterAll(() => engine?.stop());

  it('with the dynamic configuration of the compose file ends the polls of a worker that stops, so that it loses no task', async () => {
    const { client, namespace } = engine;
    const { namespaceInfo } = await client.workflowService.describeNamespace({ namespace });
    expect(namespaceInfo?.capabilities?.workerPollCompleteOnShutdown).toBe(true);
  });

  it('lists a paused run with the open ones, for the reconciliation and for the check of a release', async () => {
    const { client, namespace } = engine;
    await begin(engine);
    await client.workflowService.pauseWorkflowExecution({
      namespace,
      workflowId,
      identity: 'test',
      reason: 'test',
      requestId: 'pause-1',
    });
    const paused = await eventually(
      'visibility has it as paused',
      async () => {
        const { count } = await client.workflow.count("ExecutionStatus = 'Paused'");
        return count === 1;
      },
      20_000,
    );
    expect(paused).toBe(true);
    expect(await listed(engine)).toEqual([7]);
    const drawn = await drawOpenRuns(client, { perType: 5 });
    expect(drawn.get(reservationWorkflow)?.open).toBe(1);
    // `handover release move` includes it
    await overrideVersion(client, workflowId, null);
  }, 60_000);
});
