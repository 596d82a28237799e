import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CodecKey } from '../../../store/sealing/codec-key.js';
import { createTemporalClient } from '../../../temporal/client/create-client.js';
import { encryptingDataConverter } from '../../../temporal/codec.js';
import { connectClient, embeddedTarget } from '../../../temporal/connection/connection.js';
import { registerSearchAttributes } from '../../../temporal/search-attributes.js';
import { startDevServer } from '../../../temporal/server/dev-server.js';
import type { StageEngine } from './engine.js';

/** A real server of the stage's own, in a folder that goes with it. @param binary `provideEngine('dev-server')` */
export async function realServerEngine(binary: string, keys: readonly CodecKey[]): Promise<StageEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'handover-rehearsal-engine-'));
  const ends = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const server = await startDevServer({ binary, folder, port: 0, uiPort: 0 });
    ends.push(() => server.stop());
    const target = embeddedTarget(server.address);
    const connection = await connectClient(target);
    ends.push(() => connection.close());
    await registerSearchAttributes(connection, target.namespace);
    return {
      temporal: createTemporalClient(target, connection, encryptingDataConverter(keys)),
      skips: false,
      now: async () => Date.now(),
      sleep: async (ms) => void (await pause(ms)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
