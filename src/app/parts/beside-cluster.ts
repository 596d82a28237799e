import type { HandoverDatabase } from '../../store/handover.js';
import { createTemporalClient } from '../../temporal/client/create-client.js';
import { encryptingDataConverter } from '../../temporal/codec.js';
import { connectClient, externalTarget } from '../../temporal/connection/connection.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';
import { requireValue } from '../startup/until-stopped.js';
import { dataKeysOf } from './data-keys.js';

/**
 * Checks the settings that a command beside the parts of a cluster needs.
 * @param command named in the error
 * @returns the address of the cluster's database
 * @throws Error where DATABASE_URL or CODEC_KEYS is missing
 */
export function requireCluster({ config }: Pick<Setting, 'config'>, command: string): string {
  const url = requireValue(config.databaseUrl, command, 'DATABASE_URL', 'the database of the cluster');
  requireValue(config.codec.keys[0]?.id, command, 'CODEC_KEYS', 'the keys that the cluster encrypts with');
  return url;
}

/** The cluster's Temporal, with the data keys of the database. @throws what the connection throws */
export async function connectClusterTemporal(
  { config, env }: Pick<Setting, 'config' | 'env'>,
  stack: Stack,
  database: Pick<HandoverDatabase, 'prompt'>,
) {
  const target = externalTarget(env);
  const connection = await stack.start(
    'Temporal client',
    () => connectClient(target),
    (open) => open.close(),
  );
  const dataKeys = dataKeysOf(config.codec, database);
  const converter = encryptingDataConverter(config.codec.keys, { ...config.codec, dataKeys });
  return { ...createTemporalClient(target, connection, converter), dataKeys };
}
