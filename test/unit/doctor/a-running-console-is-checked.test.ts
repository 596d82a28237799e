import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkConsole, checkIdentityProvider } from '../../../src/tools/doctor/console.js';
import { startApi } from '../../support/api.js';
import { deadAddress } from '../../support/http-peer.js';
import { startIdentityProvider } from '../../support/identity-provider.js';

it('a console that is served is ok; one that is missing, or does not answer, states what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'handover-console-'));
  const unbuilt = await startApi({ consoleFolder: folder });
  onTestFinished(() => unbuilt.close());
  expect(await checkConsole(unbuilt.url)).toMatchObject({ result: 'fail', says: 'answers 503' });

  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '');
  const built = await startApi({ consoleFolder: folder });
  onTestFinished(async () => {
    await built.close();
    await rm(folder, { recursive: true, force: true });
  });
  expect(await checkConsole(built.url)).toMatchObject({ result: 'ok', area: 'console' });

  const dead = await deadAddress();
  expect(await checkConsole(dead)).toMatchObject({ result: 'fail', says: 'does not answer' });
});

it('an identity provider that answers is ok, with the redirect URI to register; any other address is not', async () => {
  const provider = await startIdentityProvider({}, 'https://console.example/api/session/oidc/callback');
  onTestFinished(() => provider.close());
  const settings = { ...provider.settings, roles: [], consoleUrl: 'https://console.example' };
  expect(await checkIdentityProvider(settings)).toMatchObject({
    result: 'ok',
    says: expect.stringContaining('https://console.example/api/session/oidc/callback'),
  });
  const elsewhere = { ...settings, issuer: `${settings.issuer}/elsewhere` };
  expect(await checkIdentityProvider(elsewhere)).toMatchObject({ result: 'fail' });
  expect(JSON.stringify(await checkIdentityProvider(elsewhere))).not.toContain(settings.clientSecret);
});
