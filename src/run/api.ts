import { storedChannel } from '../intake/one-active.js';
import { toldAtMost } from '../intake/told-at-most.js';
import { startApiPart } from './api-part.js';
import { openDatabase } from './database.js';
import { clusterSetting } from './setting.js';
import { startStandInPart } from './stand-in-part.js';
import { openClient } from './temporal.js';
import { needed, say, untilStopped } from './until-stopped.js';

/** `handover api`: receiver and status API of a cluster. */
export async function api(env: NodeJS.ProcessEnv): Promise<void> {
  const setting = await clusterSetting(env, { receives: true });
  const { codec, databaseUrl, tokens } = setting.config;
  const url = needed(databaseUrl, 'api', 'DATABASE_URL', 'the database that `handover worker` reads');
  needed(tokens[0]?.token, 'api', 'HANDOVER_TOKENS', '`role:token[:name]` entries, comma-separated');
  needed(codec.keys[0]?.id, 'api', 'CODEC_KEYS', 'the keys that `handover worker` encrypts with too');
  await untilStopped(setting, async (stack) => {
    const database = await openDatabase(stack, { url, folder: '' });
    const temporal = await openClient(setting, stack);
    const api = await startApiPart(setting, stack, {
      temporal,
      db: database.db,
      lockHolder: database.lockHolder,
      session: database.session,
      platformUrl: setting.config.platform.baseUrl,
      onStored: toldAtMost(() => database.notify(storedChannel)),
    });
    await startStandInPart(setting, stack, database);
    say(`status API and receiver on ${api}`);
    return {};
  });
}
