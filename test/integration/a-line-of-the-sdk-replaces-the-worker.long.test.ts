import { Runtime, type RuntimeOptions } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/app/log.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { lostTask } from '../../src/temporal/worker/runtime.js';
import { installObservedRuntime } from '../../src/temporal/worker/sdk-metrics.js';
import { pathOf, signedHeaders, statusBody } from '../support/callbacks.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type HandoverParts, startHandoverParts } from '../support/handover-parts.js';

const lane = embeddedLane();
let database: HandoverDatabase;
let parts: HandoverParts;
/** What the process installs in the SDK, and what it logs. */
let installed: RuntimeOptions = {};
const logged: string[] = [];

beforeAll(async () => {
  database = await lane.open();
  const log = createLogger('warn', { write: (line) => void logged.push(line) });
  // the SDK's runtime of this test process stands already
  const install = vi.spyOn(Runtime, 'install').mockImplementation((options = {}) => {
    installed = options;
    return {} as Runtime;
  });
  const runtime = await installObservedRuntime(log);
  install.mockRestore();
  parts = await startHandoverParts(database, { worker: true, log, runtime });
});
afterAll(async () => {
  await parts?.stop();
  await database?.close();
});

const wasReplaced = () => logged.some((line) => line.includes('its workers are replaced'));
const reservationId = 91_000;
const callback = async (status: number) => {
  const body = statusBody(reservationId, status);
  await fetch(parts.api + pathOf('status'), { method: 'POST', headers: signedHeaders(body), body });
  await eventually(
    `status ${status} is applied`,
    async () => (await parts.view(reservationId))?.status.code === status,
    // a worker that has just been replaced begins within seconds, on a busy machine within some more
    30_000,
  );
};

it('the worker of workflows is replaced after the line by which the SDK reports a lost task, and reservations continue', async () => {
  installed.logger?.warn('a task was late');
  await callback(5);
  expect(wasReplaced()).toBe(false);
  installed.logger?.error(lostTask);
  // one that has just begun runs for a minute first
  await eventually('it is replaced', wasReplaced, 90_000, 500);
  await callback(10);
  expect(logged.filter((line) => line.includes('no new workers began'))).toEqual([]);
}, 180_000);
