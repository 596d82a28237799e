import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Policy } from '../../domain/reservation/index.js';
import type { WireProfile } from '../../platform/profile.js';
import { loadProfile } from '../../platform/profiles/index.js';
import { privateFolder } from '../../store/files/durable-file.js';
import { completeConfig, loadGeneratedSecrets } from '../config/generated-secrets.js';
import { type Config, loadConfig, policyOf } from '../config/index.js';
import { removedVariables } from '../config/removed.js';
import { createLogger, type Logger } from '../log.js';
import { type CountingDestination, LogFile } from '../log-file.js';
import { fleetOf } from './fleet.js';

/**
 * What the embedded engine needs to start. Nothing here imports Temporal's SDK, the database or HTTP: `up` starts the engine first and
 * loads them meanwhile.
 */
export interface FirstSetting {
  config: Config;
  profile: WireProfile;
  policy: Policy;
  log: Logger;
  /** Writes a line that a thread of this process made for the log. */
  writeLine?: (line: string) => void;
  /** How many lines the log could not write since the start. */
  lostLogLines?: () => number;
  env: NodeJS.ProcessEnv;
}

/**
 * Reads the environment for everything in one process: unset secrets are generated and stored in the data folder. The log
 * goes to `handover.log` there, because the terminal shows the reservations.
 * @throws ConfigError, WireProfileError, or an error with the reason why the data folder cannot be used
 */
export async function embeddedFirstSetting(env: NodeJS.ProcessEnv): Promise<FirstSetting> {
  const given = loadConfig(env);
  fleetOf(given.sandbox.fleet);
  try {
    mkdirSync(given.dataDir, { recursive: true, mode: privateFolder });
    chmodSync(given.dataDir, privateFolder);
    const config = completeConfig(given, await loadGeneratedSecrets(given.dataDir));
    const file = new LogFile(join(config.dataDir, 'handover.log'));
    return await firstSettingOf(config, env, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOSPC', 'EDQUOT'].includes(code))
      throw error;
    throw new Error(
      `the data folder ${given.dataDir} cannot be written (${code}); choose another HANDOVER_DATA_DIR`,
    );
  }
}

export async function firstSettingOf(
  config: Config,
  env: NodeJS.ProcessEnv,
  destination: CountingDestination,
): Promise<FirstSetting> {
  const profile = await loadProfile(config.wireProfile);
  const log = createLogger(config.logLevel, destination);
  const notRead = removedVariables(env);
  if (notRead !== undefined) log.warn(notRead);
  const writeLine = (line: string) => destination.write(line);
  const lostLogLines = () => destination.lost;
  return { config, profile, policy: policyOf(config, profile), log, writeLine, lostLogLines, env };
}
