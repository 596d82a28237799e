import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { type DevServer, startDevServer } from '../../src/temporal/server/dev-server.js';

let folder: string;
let engine: DevServer | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-ui-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await engine?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Both as other users of the machine may see them; null where the system has no /proc. */
const argumentsOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
const environmentOf = (pid: number) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => null);

it('L60: Temporal UI of the embedded engine gets plain text from the codec endpoint', async () => {
  const codecEndpoint = 'http://127.0.0.1:8080/codec/a-token-in-the-path';
  vi.stubEnv('CODEC_KEYS', 'k1:a-secret-of-the-environment');
  engine = await startDevServer({
    binary: inject('devServerPath'),
    folder,
    port: 0,
    uiPort: 0,
    codecEndpoint,
  });
  const settings = await fetch(`${engine.uiUrl}/api/v1/settings`);
  expect(await settings.json()).toMatchObject({ Codec: { Endpoint: codecEndpoint } });

  const [args, environment] = await Promise.all([argumentsOf(engine.pid), environmentOf(engine.pid)]);
  if (args === null || environment === null) return;
  expect(args).toContain('start-dev');
  expect(args).not.toContain('a-token-in-the-path');
  expect(environment).toContain('PATH=');
  expect(environment).not.toContain('a-secret-of-the-environment');
  const settingsFile = join(folder, 'engine-settings.yaml');
  expect(args).toContain(settingsFile);
  expect((await stat(settingsFile)).mode & 0o777).toBe(0o600);
});
