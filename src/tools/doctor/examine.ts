import { originOf } from '../../app/config/address.js';
import { completeConfig, readGeneratedSecrets } from '../../app/config/generated-secrets.js';
import { type Config, loadConfig } from '../../app/config/index.js';
import { engineFolder } from '../../app/parts/engine.js';
import type { WireProfile } from '../../platform/profile.js';
import { loadProfile } from '../../platform/profiles/index.js';
import { embeddedTarget, externalTarget } from '../../temporal/connection/connection.js';
import { readRecord } from '../../temporal/server/dev-server-record.js';
import { loopback } from '../../temporal/server/ports.js';
import { isAlive } from '../../temporal/server/process-info.js';
import { checkCallbacks } from './callbacks.js';
import { checkConsole, checkIdentityProvider } from './console.js';
import { checkDatabase } from './database.js';
import { type Area, createCheck, type Finding } from './finding.js';
import { type Parts, readParts } from './instance.js';
import { originHere } from './origin-here.js';
import { checkPhotos } from './photos.js';
import { checkPlatform } from './platform/index.js';
import { reach } from './reach.js';
import { checkReceiver } from './receiver.js';
import { checkNames, checkSettings } from './settings.js';
import { checkTemporal } from './temporal.js';

/**
 * Checks a configuration against the systems that it names, and changes nothing. Yields each finding at once.
 * @throws as the start does where the configuration cannot be read
 */
export async function* examine(
  env: NodeJS.ProcessEnv,
  callbackUrl: string | undefined,
): AsyncGenerator<Finding> {
  const given = loadConfig(env);
  const publicUrl = callbackUrl === undefined ? undefined : baseOf(callbackUrl);
  const generated = await readGeneratedSecrets(given.dataDir);
  const config = generated === undefined ? given : completeConfig(given, generated);
  const profile = await loadProfile(config.wireProfile);
  yield* checkSettings(config, profile, generated && `secrets.json in ${config.dataDir}`);
  yield* checkNames(given.tokens);
  yield* guard('platform', examinePlatform(config, profile));
  const own = originHere(config, config.http.port);
  const parts = own === undefined ? undefined : await readParts(own);
  const isRunning = parts !== undefined;
  yield* guard('callbacks', checkCallbacks(config, profile, { publicUrl, isRunning }));
  if (own !== undefined && isRunning) yield await checkConsole(own);
  if (config.oidc !== undefined) yield await checkIdentityProvider(config.oidc);
  yield* guard('database', examineDatabase(config, parts));
  yield* guard('temporal', examineTemporal(config, env));
  yield await checkPhotos(config.blobs);
  yield* guard('posts', examinePosts(config, profile));
}

/** A subject that cannot be checked does not stop the others. The text of an error may contain a setting, so only its code is shown. */
async function* guard(area: Area, findings: AsyncGenerator<Finding>): AsyncGenerator<Finding> {
  try {
    yield* findings;
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: string };
    const what = typeof code === 'string' ? code : (name ?? 'unknown');
    yield createCheck(area, 'all of it').fail(`could not be checked (${what})`, {
      todo: 'check its settings in docs/configuration.md',
    });
  }
}

/** @throws Error with what is wrong */
function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.search === '' && parsed.hash === '')
    return url.replace(/\/+$/, '');
  throw new Error('--callback-url is not an address of the form https://host or https://host/path');
}

async function* examinePlatform(config: Config, profile: WireProfile): AsyncGenerator<Finding> {
  const { baseUrl, channelKey, supplierKey } = config.platform;
  const keys = {
    ...(channelKey !== undefined && { channel: channelKey }),
    ...(supplierKey !== undefined && { supplier: supplierKey }),
  };
  if (baseUrl !== undefined) return yield* checkPlatform(baseUrl, profile, keys);
  const { port } = config.sandbox;
  const sandbox = originOf(config.http.host, port);
  const check = createCheck('platform', 'PLATFORM_BASE_URL', { goLive: 'firewall' });
  if (port === 0 || !(await isAnswering(`${sandbox}/docs/json`)))
    yield check.skip('not set, and the embedded sandbox does not run here', {
      todo: 'set PLATFORM_BASE_URL and a key to check a real platform, or start `npm start` to check the sandbox',
    });
  else {
    yield check.ok(`not set: the embedded sandbox, ${sandbox}`);
    yield* checkPlatform(sandbox, profile, keys);
  }
}

async function* examineDatabase(config: Config, parts: Parts | undefined): AsyncGenerator<Finding> {
  if (config.databaseUrl !== undefined) return yield* checkDatabase(config.databaseUrl);
  const check = createCheck('database', 'embedded');
  if (parts === undefined)
    yield check.skip('nothing runs on it now: it is opened, and brought up to date, by npm start');
  else if (parts.database === 'ok')
    yield check.ok('in use by the running Handover, which reports that it answers');
  else
    yield check.fail('does not answer to the running Handover', {
      todo: 'read handover.log in the data folder',
    });
}

async function* examineTemporal(config: Config, env: NodeJS.ProcessEnv): AsyncGenerator<Finding> {
  if (config.temporal.external) return yield* checkTemporal(externalTarget(env));
  const record = readRecord(engineFolder(config));
  if (record !== undefined && isAlive(record.pid))
    return yield* checkTemporal(embeddedTarget(`${loopback}:${record.port}`));
  yield createCheck('temporal', 'embedded').skip('the embedded engine does not run now: npm start starts it');
}

async function* examinePosts(config: Config, profile: WireProfile): AsyncGenerator<Finding> {
  const { alerts, forward } = config;
  if (alerts.url === undefined)
    yield createCheck('posts', 'ALERT_URL').skip('not set: alerts are shown by the status API alone');
  else yield* reach(alerts.url, { area: 'posts', name: 'ALERT_URL' });
  if (forward.url === undefined || forward.secret === undefined) return;
  yield* checkReceiver({
    area: 'posts',
    name: 'FORWARD_URL',
    url: forward.url,
    paths: profile.callbacks.paths,
    auth: 'standard-webhooks',
    secrets: [forward.secret],
  });
}

function isAnswering(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
