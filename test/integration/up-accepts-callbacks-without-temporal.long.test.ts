import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/temporal/server/ports.js';
import { endProcess } from '../../src/temporal/server/process-info.js';
import { eventually } from '../support/eventually.js';
import { Deployment } from '../support/process.js';
import { ask, callback, env, isAccepted, servesWithoutTemporal } from '../support/without-temporal.js';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.create();
});
afterAll(() => deployment?.remove());

it('`handover up` accepts callbacks while its own engine is not ready', async () => {
  const hangs = join(deployment.folder, 'temporal-that-hangs');
  const script =
    '#!/bin/sh\nif [ "$1" = --version ]; then echo "temporal version 9 (Server 1.29.1, UI 2)"; else exec sleep 600; fi\n';
  await writeFile(hangs, script, { mode: 0o755 });
  const api = `http://127.0.0.1:${await freePort()}`;
  const up = deployment.run(['up', '--no-demo'], {
    ...env,
    HANDOVER_DATA_DIR: join(deployment.folder, 'without-engine'),
    HANDOVER_PORT: new URL(api).port,
    TEMPORAL_CLI_PATH: hangs,
  });
  try {
    await eventually('a callback is accepted', () => isAccepted(api, 6), 60_000, 50);
    expect(await ask(api, '/readyz/intake')).toEqual({ status: 200 });
    expect(up.stdout).not.toContain('Handover is ready');
  } finally {
    await up.kill();
    const { pid } = JSON.parse(
      await readFile(join(deployment.folder, 'without-engine', 'temporal', 'engine.json'), 'utf8'),
    );
    await endProcess(pid, 0);
  }
}, 90_000);

it('`handover up` without its Temporal accepts callbacks, applies them when Temporal comes, and drains on SIGTERM', async () => {
  const port = await freePort();
  const up = deployment.run(['up', '--no-demo'], {
    ...env,
    TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
    HANDOVER_DRAIN: 'PT1H',
  });
  const [, api = ''] = await up.says(/cannot be used .*Callbacks are accepted on (\S+);/);
  await eventually('it receives', () => isAccepted(api, 7), 60_000, 50);
  await servesWithoutTemporal(api, 7);
  expect(up.stdout).not.toContain('Handover is ready');

  const engine = deployment.run(['engine'], {
    HANDOVER_DATA_DIR: join(deployment.folder, 'engine'),
    HANDOVER_TEMPORAL_PORT: String(port),
  });
  await up.ready();
  await eventually(
    'the callback is applied',
    async () => (await ask(api, '/api/reservations/7')).status === 200,
    60_000,
    50,
  );
  expect(await ask(api, '/readyz')).toEqual({ status: 200 });

  const metrics = await (await fetch(`${api}/metrics`)).text();
  expect(metrics).toMatch(/^temporal_\w+\{.*task_queue="handover-scan".*\} /m);

  up.signal('SIGTERM');
  await eventually('it is not ready any more', async () => (await ask(api, '/readyz/intake')).status === 503);
  expect(await callback(api, 8)).toBe(204);
  // a second signal, seconds later, ends it at once
  const ended = up.ended;
  const again = setInterval(() => up.signal('SIGTERM'), 500);
  expect(await ended).toBe(1);
  clearInterval(again);
  engine.signal('SIGTERM');
  expect(await engine.ended).toBe(0);
}, 240_000);
