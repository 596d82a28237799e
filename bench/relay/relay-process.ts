import { setTimeout as sleep } from 'node:timers/promises';
import { startRelayPart } from '../../src/app/parts/relay.js';
import { clusterSetting } from '../../src/app/startup/setting.js';
import { Stack } from '../../src/app/startup/stack.js';
import { openHandoverDatabase } from '../../src/store/handover.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { createTemporalClient, type TemporalClient } from '../../src/temporal/client/create-client.js';
import { encryptingDataConverter } from '../../src/temporal/codec.js';
import { connectClient, externalTarget } from '../../src/temporal/connection/connection.js';
import { codecKey } from './drain.js';

/** The relay of a worker in a process of its own, as `handover worker` starts it; nothing else of a worker. */
const [url = '', answerMs = ''] = process.argv.slice(2);
const setting = await clusterSetting(
  {
    ...process.env,
    DATABASE_URL: url,
    CODEC_KEYS: `${codecKey.id}:${codecKey.key.toString('base64')}`,
    PLATFORM_BASE_URL: 'http://127.0.0.1:1',
    PLATFORM_CHANNEL_API_KEY: 'bench',
    CALLBACK_SECRETS: `whsec_${codecKey.key.toString('base64')}`,
  },
  { receives: false },
);
const database = await openHandoverDatabase({ url, folder: '' });
const stack = new Stack(setting.log);
await startRelayPart(setting, stack, {
  temporal: process.env.TEMPORAL_ADDRESS === undefined ? stub(Number(answerMs)) : await server(),
  database,
  sealer: createSealer([codecKey]),
  clock: Date.now,
  isConnected: undefined,
});
process.once('SIGTERM', () => void stack.stop().then(() => process.exit(0)));

/** An engine that accepts everything after a while. */
function stub(afterMs: number): TemporalClient {
  const accept = () => sleep(afterMs);
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: { signalWithStart: accept, getHandle: () => ({ signal: accept }) },
  };
  return { client } as unknown as TemporalClient;
}

async function server(): Promise<TemporalClient> {
  const target = externalTarget(process.env);
  return createTemporalClient(target, await connectClient(target), encryptingDataConverter([codecKey]));
}
