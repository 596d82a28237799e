import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Config, loadConfig, policyOf } from '../config.js';
import { completeConfig, loadGeneratedSecrets } from '../generated-secrets.js';
import type { Policy } from '../lifecycle/index.js';
import { createLogger, type Logger } from '../log.js';
import type { WireProfile } from '../platform/profile.js';
import { loadProfile } from '../platform/profiles/index.js';
import { fleetOf } from './fleet.js';

/** What every command works with. */
export interface Setting {
  config: Config;
  profile: WireProfile;
  policy: Policy;
  log: Logger;
  env: NodeJS.ProcessEnv;
}

/**
 * Reads the environment for one part of a cluster: nothing is generated, the log goes to standard error.
 * @param part `receives`: it takes callbacks
 * @throws ConfigError, WireProfileError
 */
export async function clusterSetting(env: NodeJS.ProcessEnv, part: { receives: boolean }): Promise<Setting> {
  const config = loadConfig(env, part);
  return settingOf(config, env, createLogger(config.logLevel));
}

/**
 * Reads the environment for everything in one process: what nobody configured is generated and kept in the data
 * folder, and the log goes to `handover.log` there, for the terminal shows the reservations.
 * @throws ConfigError, WireProfileError, or an error that says why the data folder cannot be used
 */
export async function embeddedSetting(env: NodeJS.ProcessEnv): Promise<Setting> {
  const given = loadConfig(env);
  fleetOf(given.sandbox.fleet);
  try {
    mkdirSync(given.dataDir, { recursive: true });
    const config = completeConfig(given, await loadGeneratedSecrets(given.dataDir));
    const file = openSync(join(config.dataDir, 'handover.log'), 'a');
    return await settingOf(
      config,
      env,
      createLogger(config.logLevel, pino.destination({ dest: file, sync: false })),
    );
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOSPC', 'EDQUOT'].includes(code))
      throw error;
    throw new Error(
      `the data folder ${given.dataDir} cannot be written (${code}); choose another HANDOVER_DATA_DIR`,
    );
  }
}

async function settingOf(config: Config, env: NodeJS.ProcessEnv, log: Logger): Promise<Setting> {
  const profile = await loadProfile(config.wireProfile);
  return { config, profile, policy: policyOf(config, profile), log, env };
}
