import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteRuns, readHistories } from '../../src/temporal/client/erasure/histories.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { publicTestKey } from '../support/codec.js';
import { MemoryDataKeys } from '../support/data-keys.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';

let env: TestDevServer;
beforeAll(async () => {
  env = await devServer(encryptingDataConverter([publicTestKey], { dataKeys: new MemoryDataKeys() }));
});
afterAll(() => env?.stop());

/** A run that ends without another after it. No worker has its queue. */
async function terminatedRun(client: Client, workflowId: string): Promise<string> {
  const handle = await client.workflow.start('reservation', {
    workflowId,
    taskQueue: 'nowhere',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [{ driver: 'Hong' }],
  });
  expect(await readHistories(client, workflowId)).toBe('open');
  await handle.terminate();
  return handle.firstExecutionRunId;
}

it.each(['reservation-1', "booking-it's"])(
  'L60: a run that was terminated before another began is read too (%s)',
  async (workflowId) => {
    await terminatedRun(env.client, workflowId);
    await terminatedRun(env.client, workflowId);
    const read = await eventually('both are listed', async () => {
      const found = await readHistories(env.client, workflowId);
      return found !== 'open' && found.remains.size === 2 && found;
    });
    expect(read.unprotectedRuns).toEqual([]);
  },
);

it('L60: a run that an earlier release wrote before it was terminated is deleted too', async () => {
  const { connection, namespace } = env;
  const dataConverter = encryptingDataConverter([publicTestKey]);
  const earlier = await terminatedRun(new Client({ connection, namespace, dataConverter }), 'reservation-2');
  await terminatedRun(env.client, 'reservation-2');
  const read = await eventually('both are listed', async () => {
    const found = await readHistories(env.client, 'reservation-2');
    return found !== 'open' && found.unprotectedRuns.length > 0 && found;
  });
  expect(read.unprotectedRuns).toEqual([earlier]);
});

it('L60: a run that Temporal has deleted meanwhile ends no erasure', async () => {
  const gone = [randomUUID(), randomUUID()];
  await expect(deleteRuns(env.client, 'reservation-3', gone)).resolves.toBeUndefined();
});
