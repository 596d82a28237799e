import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { type DevServer, startDevServer } from '../../src/engine/dev-server.js';

let folder: string;
let engine: DevServer | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-ui-'));
});
afterEach(async () => {
  await engine?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('L60: Temporal UI of the embedded engine knows where plain text is to be had', async () => {
  const codecEndpoint = 'http://127.0.0.1:8080/codec/a-token';
  engine = await startDevServer({
    binary: inject('devServerPath'),
    folder,
    port: 0,
    uiPort: 0,
    codecEndpoint,
  });
  const settings = await fetch(`${engine.uiUrl}/api/v1/settings`);
  expect(await settings.json()).toMatchObject({ Codec: { Endpoint: codecEndpoint } });
});
