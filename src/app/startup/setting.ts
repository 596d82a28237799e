import type { Tracing } from '../../contract/tracing.js';
import { loadConfig } from '../config/index.js';
import { openStandardError } from '../log.js';
import { createMeasures, type Measures } from '../metrics/measures.js';
import { embeddedFirstSetting, type FirstSetting, firstSettingOf } from './first-setting.js';

/** Dependencies of every command. */
export interface Setting extends FirstSetting {
  /** For `/metrics`. */
  measures: Measures;
  /** Absent: nothing is traced. */
  tracing?: Tracing | undefined;
}

/**
 * Reads the environment for one part of a cluster: nothing is generated, the log goes to standard error.
 * @param part `receives`: it takes callbacks
 * @throws ConfigError, WireProfileError
 */
export async function clusterSetting(env: NodeJS.ProcessEnv, part: { receives: boolean }): Promise<Setting> {
  return withMeasures(await firstSettingOf(loadConfig(env, part), env, openStandardError()));
}

/** The same for everything in one process. @throws as `embeddedFirstSetting` */
export async function embeddedSetting(env: NodeJS.ProcessEnv): Promise<Setting> {
  return withMeasures(await embeddedFirstSetting(env));
}

export const withMeasures = (first: FirstSetting): Setting => ({
  ...first,
  measures: createMeasures(first.log),
});
