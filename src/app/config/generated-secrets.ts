import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { AccessToken } from '../../api/http/access.js';
import { makePrivateFolder, syncFolder, writeDurably } from '../../store/files/durable-file.js';
import { FolderInUseError, lockFolder } from '../../store/files/folder-lock.js';
import type { CodecKey } from '../../store/sealing/codec-key.js';
import type { Config, SandboxKey } from './index.js';

const secretsSchema = z.object({
  tokens: z.object({ viewer: z.string(), staff: z.string(), manager: z.string() }),
  callbackSecret: z.string().startsWith('whsec_'),
  /** Signs alerts. */
  alertSecret: z.string().startsWith('whsec_'),
  sandboxKeys: z.object({ channel: z.string(), supplier: z.string() }),
  /** `key` (base64) encrypts what Temporal stores; `endpointToken` opens the codec endpoint. */
  codec: z.object({ keyId: z.string(), key: z.string().length(44), endpointToken: z.string() }),
});
export type GeneratedSecrets = z.output<typeof secretsSchema>;
/** A file may be older than its last secrets, or newer than this program. */
const fileSchema = z.looseObject(secretsSchema.partial({ codec: true, alertSecret: true }).shape);
type Stored = z.output<typeof fileSchema>;

const lockWithinMs = 10_000;

/** The company that the generated supplier key belongs to: the first of the sandbox's seed fleet (G27). */
const seedCompanyId = 11;

/**
 * The secrets that are not configured: made once, stored in `<dataDir>/secrets.json` for its owner alone (mode
 * 0600), the same after every restart. Two processes that start at once end with the same ones.
 * @throws with a clear sentence where the file cannot be read or made.
 */
export async function loadGeneratedSecrets(dataDir: string): Promise<GeneratedSecrets> {
  const path = join(dataDir, 'secrets.json');
  await makePrivateFolder(dataDir);
  const stored = (await readStored(path)) ?? (await storeOnce(path, generate()));
  const whole = isWhole(stored) ? stored : await complete(path);
  await chmod(path, 0o600);
  return whole;
}

/** Reads the generated secrets; undefined where none exist. Writes nothing. @throws as `loadGeneratedSecrets` */
export async function readGeneratedSecrets(dataDir: string): Promise<GeneratedSecrets | undefined> {
  const stored = await readStored(join(dataDir, 'secrets.json'));
  return stored !== undefined && isWhole(stored) ? stored : undefined;
}

function isWhole(stored: Stored): stored is Stored & GeneratedSecrets {
  return stored.codec !== undefined && stored.alertSecret !== undefined;
}

async function readStored(path: string): Promise<Stored | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(
      `${path} is damaged. Restore it from a backup: it contains the key of the encrypted data. Remove it only together with the whole data folder.`,
    );
  }
}

/** Writes a temporary file and links it into place: a second process reads the first one's. */
async function storeOnce(path: string, secrets: GeneratedSecrets): Promise<Stored> {
  const aside = await writeAside(path, secrets);
  try {
    await link(aside, path);
    await syncFolder(dirname(path));
    return secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readStored(path)) ?? secrets;
  } finally {
    await rm(aside, { force: true });
  }
}

async function writeAside(path: string, secrets: GeneratedSecrets): Promise<string> {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeDurably(aside, `${JSON.stringify(secrets, null, 2)}\n`);
  return aside;
}

/** Adds the secrets that an older file lacks. One process at a time: two must not continue with different keys. */
async function complete(path: string): Promise<GeneratedSecrets> {
  const lock = await lockOf(path);
  try {
    const stored = await readStored(path);
    if (stored !== undefined && isWhole(stored)) return stored;
    const whole = { ...generate(), ...stored } as GeneratedSecrets;
    await rename(await writeAside(path, whole), path);
    await syncFolder(dirname(path));
    return whole;
  } finally {
    await lock.release();
  }
}

async function lockOf(path: string): Promise<{ release(): Promise<void> }> {
  const until = Date.now() + lockWithinMs;
  for (;;) {
    try {
      return await lockFolder(path);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || Date.now() > until) throw error;
      await sleep(20);
    }
  }
}

function generate(): GeneratedSecrets {
  const token = (prefix: string) => `${prefix}-${randomBytes(18).toString('base64url')}`;
  return {
    tokens: { viewer: token('viewer'), staff: token('staff'), manager: token('manager') },
    callbackSecret: webhookSecret(),
    alertSecret: webhookSecret(),
    sandboxKeys: { channel: token('channel'), supplier: token('supplier') },
    codec: {
      keyId: `generated-${randomBytes(4).toString('hex')}`,
      key: randomBytes(32).toString('base64'),
      endpointToken: token('codec'),
    },
  };
}

function webhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * Fills unset values with the generated secrets: tokens, the callback and alert secrets, the codec's key and token, and
 * for the embedded sandbox its keys and the platform keys that fit them. Configured values stay.
 */
export function completeConfig(config: Config, generated: GeneratedSecrets): Config {
  const keys = config.sandbox.keys.length > 0 ? config.sandbox.keys : generatedKeys(generated);
  const secrets =
    config.callbacks.secrets.length > 0 ? config.callbacks.secrets : callbackSecrets(config, generated);
  const signing = config.callbacks.auth === 'standard-webhooks' ? secrets[0] : undefined;
  return {
    ...config,
    tokens: config.tokens.length > 0 ? config.tokens : generatedTokens(generated),
    codec: {
      endpointToken: generated.codec.endpointToken,
      ...config.codec,
      keys: codecKeys(config.codec.keys, generated),
    },
    callbacks: { ...config.callbacks, secrets },
    alerts: { secret: generated.alertSecret, ...config.alerts },
    sandbox: { ...(signing !== undefined && { callbackSecret: signing }), ...config.sandbox, keys },
    platform: platformOf(config.platform, keys),
  };
}

function callbackSecrets({ callbacks: { auth } }: Config, { callbackSecret }: GeneratedSecrets): string[] {
  if (auth === 'none') return [];
  if (auth === 'standard-webhooks') return [callbackSecret];
  // As a bearer token or in a path it must be safe in a URL.
  return [Buffer.from(callbackSecret.slice('whsec_'.length), 'base64').toString('base64url')];
}

/** The generated key comes after the configured ones, so that rows that it encrypted stay readable. */
function codecKeys(given: readonly CodecKey[], { codec }: GeneratedSecrets): CodecKey[] {
  if (given.some(({ id }) => id === codec.keyId)) return [...given];
  return [...given, { id: codec.keyId, key: Buffer.from(codec.key, 'base64') }];
}

function platformOf(platform: Config['platform'], keys: readonly SandboxKey[]): Config['platform'] {
  const given = platform.channelKey !== undefined || platform.supplierKey !== undefined;
  if (platform.baseUrl !== undefined || given) return platform;
  const channelKey = keys.find(({ role }) => role === 'channel')?.key;
  const supplierKey = keys.find(({ role }) => role === 'supplier')?.key;
  return {
    ...platform,
    ...(channelKey !== undefined && { channelKey }),
    ...(supplierKey !== undefined && { supplierKey }),
  };
}

function generatedTokens({ tokens }: GeneratedSecrets): AccessToken[] {
  return (['viewer', 'staff', 'manager'] as const).map((role) => ({ role, token: tokens[role], name: role }));
}

function generatedKeys({ sandboxKeys }: GeneratedSecrets): SandboxKey[] {
  return [
    { role: 'channel', key: sandboxKeys.channel },
    { role: 'supplier', key: sandboxKeys.supplier, companyId: seedCompanyId },
  ];
}
