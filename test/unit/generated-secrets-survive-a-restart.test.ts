import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { completeConfig, loadGeneratedSecrets } from '../../src/app/config/generated-secrets.js';
import { loadConfig } from '../../src/app/config/index.js';
import { small } from '../../src/sandbox/fleet/small.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-secrets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('the second start finds the first one’s, readable by their owner alone', async () => {
  const dataDir = join(folder, 'data');
  const first = await loadGeneratedSecrets(dataDir);
  expect(await loadGeneratedSecrets(dataDir)).toEqual(first);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['secrets.json']);
});

it('processes that start at once end with the same secrets', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => loadGeneratedSecrets(folder)));
  for (const one of all) expect(one).toEqual(all[0]);
});

describe('a file of an earlier version', () => {
  const path = () => join(folder, 'secrets.json');
  async function older() {
    const { codec: _, alertSecret: __, ...rest } = await loadGeneratedSecrets(folder);
    const kept = { ...rest, later: { secret: 'of a later version' } };
    await writeFile(path(), JSON.stringify(kept), { mode: 0o644 });
    return kept;
  }

  it('gets the codec key and the secret of alerts, and keeps everything else', async () => {
    const kept = await older();
    const completed = await loadGeneratedSecrets(folder);
    expect(completed).toMatchObject({
      ...kept,
      codec: { keyId: expect.stringMatching(/^generated-/) },
      alertSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(JSON.parse(await readFile(path(), 'utf8'))).toEqual(completed);
    expect(await loadGeneratedSecrets(folder)).toEqual(completed);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secrets.json']);
  });

  it('gets one key, however many processes read it at once', async () => {
    await older();
    const all = await Promise.all(Array.from({ length: 8 }, () => loadGeneratedSecrets(folder)));
    for (const { codec } of all) expect(codec).toEqual(all[0]?.codec);
  });
});

it('L60: the generated codec key is valid, and stays behind configured keys', async () => {
  const generated = await loadGeneratedSecrets(folder);
  const { codec } = completeConfig(loadConfig({}), generated);
  expect(codec.keys).toEqual([
    { id: generated.codec.keyId, key: Buffer.from(generated.codec.key, 'base64') },
  ]);
  expect(codec.keys[0]?.key).toHaveLength(32);
  expect(codec.endpointToken).toBe(generated.codec.endpointToken);
  const given = loadConfig({ CODEC_KEYS: `own:${Buffer.alloc(32).toString('base64')}` });
  expect(completeConfig(given, generated).codec.keys.map(({ id }) => id)).toEqual([
    'own',
    generated.codec.keyId,
  ]);
});

it('two folders never share a secret', async () => {
  const [one, two] = [
    await loadGeneratedSecrets(join(folder, 'a')),
    await loadGeneratedSecrets(join(folder, 'b')),
  ];
  expect(one.callbackSecret).not.toBe(two.callbackSecret);
  expect(one.tokens.staff).not.toBe(two.tokens.staff);
  expect(one.codec.key).not.toBe(two.codec.key);
});

it('a damaged file is a clear error that does not show its content', async () => {
  await writeFile(join(folder, 'secrets.json'), '{"tokens": {"viewer": "hush"}}');
  await expect(loadGeneratedSecrets(folder)).rejects.toThrow(
    /secrets\.json is damaged\. Restore it from a backup/,
  );
  await expect(loadGeneratedSecrets(folder)).rejects.not.toThrow(/hush/);
});

it('missing secrets are generated, and platform keys fit the embedded sandbox', async () => {
  const generated = await loadGeneratedSecrets(folder);
  const config = completeConfig(loadConfig({}), generated);
  expect(config.tokens.map(({ role }) => role)).toEqual(['viewer', 'staff', 'manager']);
  expect(config.callbacks.secrets).toEqual([config.sandbox.callbackSecret]);
  expect(config.sandbox.keys.map(({ key }) => key)).toEqual([
    config.platform.channelKey,
    config.platform.supplierKey,
  ]);
});

it('G27: the generated supplier key belongs to a company of the seed fleet', async () => {
  const { sandbox } = completeConfig(loadConfig({}), await loadGeneratedSecrets(folder));
  const supplier = sandbox.keys.find((key) => key.role === 'supplier');
  expect(small.companies.map(({ companyId }) => companyId)).toContain(supplier?.companyId);
});

it('alerts are signed with the generated secret unless one is configured', async () => {
  const generated = await loadGeneratedSecrets(folder);
  const given = `whsec_${'A'.repeat(43)}=`;
  expect(completeConfig(loadConfig({}), generated).alerts).toEqual({ secret: generated.alertSecret });
  const env = { ALERT_URL: 'https://ops.example/hook/', ALERT_SECRET: given };
  expect(completeConfig(loadConfig(env), generated).alerts).toEqual({
    url: 'https://ops.example/hook',
    secret: given,
  });
});

it('configured secrets stay', async () => {
  const generated = await loadGeneratedSecrets(folder);
  const given = loadConfig({
    PLATFORM_BASE_URL: 'https://rental.example',
    PLATFORM_SUPPLIER_API_KEY: 'k',
    HANDOVER_TOKENS: 'staff:a-token-of-24-characters:kim',
    CALLBACK_AUTH: 'secret-path',
    CALLBACK_SECRETS: 'a-secret-of-length-24...',
  });
  const config = completeConfig(given, generated);
  expect(config.platform).toEqual(given.platform);
  expect(config.tokens).toEqual(given.tokens);
  expect(config.callbacks).toEqual(given.callbacks);
});

it('a generated secret is safe in a path and as a bearer token', async () => {
  const generated = await loadGeneratedSecrets(folder);
  const config = completeConfig(loadConfig({ CALLBACK_AUTH: 'secret-path' }), generated);
  expect(config.callbacks.secrets).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)]);
});
