import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { CodecKey } from '../../config.js';
import { encryptingDataConverter } from '../../engine/codec.js';
import { embeddedTarget } from '../../engine/connection.js';
import { registerSearchAttributes } from '../../engine/search-attributes.js';
import type { Instant } from '../../lifecycle/index.js';
import type { TemporalClient } from '../../run/temporal.js';

/** The engine of a stage: it skips time, or lives through it. */
export interface StageEngine {
  temporal: TemporalClient;
  /** False: time passes on both sides by itself. */
  skips: boolean;
  now(): Promise<Instant>;
  /**
   * Lets `ms` of its time pass; timers of workflows on the way fire.
   * @param untended workflows that have a task nobody takes: each of them would hold the time
   */
  sleep(ms: number, untended?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * The time-skipping test server. Its time runs as real time does, and skips in `sleep` alone.
 * @param binary its executable (`provideEngine('test-server')`)
 */
export async function timeSkippingEngine(binary: string, keys: readonly CodecKey[]): Promise<StageEngine> {
  const env = await startTestServer(binary);
  const target = embeddedTarget(env.address, env.namespace ?? 'default');
  await registerSearchAttributes(env.connection, target.namespace);
  const dataConverter = encryptingDataConverter(keys);
  // a plain client: the environment's own would skip time while it waits for a result
  const client = new Client({ connection: env.connection, namespace: target.namespace, dataConverter });
  return {
    temporal: { target, connection: env.connection, client, dataConverter },
    skips: true,
    now: () => env.currentTimeMs(),
    async sleep(ms, untended = 0) {
      const { testService } = env.connection;
      let released = 0;
      let over = false;
      const slept = env.sleep(ms).finally(() => {
        over = true;
      });
      // a task that nobody takes is given out again and again, and each time holds the time once more
      while (untended > 0 && !over) {
        await Promise.race([slept, pause(20)]);
        if (over) break;
        await testService?.unlockTimeSkipping({}).then(
          () => released++,
          () => {},
        );
      }
      await slept;
      for (let task = 0; task < released; task++) await testService?.lockTimeSkipping({});
    },
    close: () => env.teardown(),
  };
}

/** The SDK kills a server that does not answer within 5 s, which a busy machine may take. */
async function startTestServer(path: string, attempt = 1): Promise<TestWorkflowEnvironment> {
  try {
    const executable = { type: 'existing-path' as const, path };
    return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  } catch (error) {
    if (attempt === 3) throw error;
    return startTestServer(path, attempt + 1);
  }
}

/** A real server: time passes as it does. The caller stops it. */
export function realTimeEngine(temporal: TemporalClient): StageEngine {
  return {
    temporal,
    skips: false,
    now: async () => Date.now(),
    sleep: async (ms) => void (await pause(ms)),
    close: async () => {},
  };
}
