import { originOf } from '../../app/config/address.js';
import { readGeneratedSecrets } from '../../app/config/generated-secrets.js';
import { type Config, loadConfig } from '../../app/config/index.js';
import { printLine } from '../../app/startup/until-stopped.js';
import { embeddedTarget, externalTarget } from '../../temporal/connection/connection.js';
import { loopback } from '../../temporal/server/ports.js';
import { collectStatus } from './collect.js';
import { isSound, toScreen } from './screen.js';
import { apiSource, databaseSource } from './sources.js';
import type { Source } from './types.js';

/**
 * `handover status`: one screen of a deployment, read by the environment of its parts. Changes nothing.
 * @returns whether nothing needs a person
 * @throws Error where the settings name no deployment
 */
export async function status({ env, json }: { env: NodeJS.ProcessEnv; json: boolean }): Promise<boolean> {
  const config = loadConfig(env, { receives: false });
  const target = config.temporal.external
    ? externalTarget(env)
    : embeddedTarget(`${loopback}:${config.temporal.port}`);
  const source = await sourceOf(config);
  try {
    const found = await collectStatus(source, target, config.temporal.deployment?.name);
    printLine(json ? JSON.stringify(found, null, 2) : toScreen(found));
    return isSound(found);
  } finally {
    await source.close();
  }
}

async function sourceOf({ databaseUrl, tokens, dataDir, http }: Config): Promise<Source> {
  if (databaseUrl !== undefined) return databaseSource(databaseUrl);
  const token = tokens[0]?.token ?? (await readGeneratedSecrets(dataDir))?.tokens.viewer;
  if (token === undefined)
    throw new Error(
      '`handover status` reads DATABASE_URL, or the `handover up` of this HANDOVER_DATA_DIR: neither is there',
    );
  return apiSource(originOf(http.host, http.port), token);
}
