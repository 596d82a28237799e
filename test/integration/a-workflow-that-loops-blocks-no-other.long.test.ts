import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { bundleWorkflows } from '../../src/temporal/worker/bundle.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { createWorker } from '../support/whole-worker.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

// without a limit the thread of the workflows would do nothing else any more
it.each(['at once', 'afterwards', 'condition'])(
  'a task that loops %s ends after 5 s, and the other workflows continue',
  async (where) => {
    const taskQueue = `loops-${randomUUID()}`;
    const { nativeConnection: connection, namespace, client } = engine;
    const source = fileURLToPath(new URL('../support/loops/workflows.ts', import.meta.url));
    const bundle = await bundleWorkflows(source, join(inject('runFolder'), `${taskQueue}.js`));
    const worker = await createWorker({ connection, namespace, taskQueue, bundle, activities: {} });
    await worker.runUntil(async () => {
      const workflowId = `loops-${randomUUID()}`;
      const looping = await client.workflow.start('loops', { taskQueue, workflowId, args: [where] });
      await eventually('its first task', async () => {
        const { events } = await looping.fetchHistory();
        return events?.some((event) => event.workflowTaskStartedEventAttributes);
      });
      const began = Date.now();
      expect(await client.workflow.execute('ends', { taskQueue, workflowId: `${workflowId}-other` })).toBe(
        'ended',
      );
      expect(Date.now() - began).toBeGreaterThan(2_000);
      await looping.terminate();
    });
  },
);
