import { setTimeout as pause } from 'node:timers/promises';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import type { Instant } from '../../../domain/shared/time.js';
import type { CodecKey } from '../../../store/sealing/codec-key.js';
import { createTemporalClient, type TemporalClient } from '../../../temporal/client/create-client.js';
import { encryptingDataConverter } from '../../../temporal/codec.js';
import { embeddedTarget } from '../../../temporal/connection/connection.js';
import { registerSearchAttributes } from '../../../temporal/search-attributes.js';
import { startTestServer } from '../../../temporal/server/test-server.js';

/** The engine of a stage: it skips time, or lives through it. */
export interface StageEngine {
  temporal: TemporalClient;
  /** False: time passes on both sides by itself. */
  skips: boolean;
  now(): Promise<Instant>;
  /**
   * Lets `ms` of its time pass; timers of workflows on the way fire.
   * @param untended workflows with a task that no worker takes: each of them would hold the time
   */
  sleep(ms: number, untended?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * The time-skipping test server. Its time runs as real time does, and skips in `sleep` alone.
 * @param binary its executable (`provideEngine('test-server')`)
 */
export async function timeSkippingEngine(binary: string, keys: readonly CodecKey[]): Promise<StageEngine> {
  const { address, connection, time, stop } = await startTestServer(binary, { detached: true });
  const target = embeddedTarget(address);
  await registerSearchAttributes(connection, target.namespace);
  return {
    temporal: createTemporalClient(target, connection, encryptingDataConverter(keys)),
    skips: true,
    now: async () => tsToMs((await time.getCurrentTime({})).time),
    async sleep(ms, untended = 0) {
      let released = 0;
      let over = false;
      const slept = time.unlockTimeSkippingWithSleep({ duration: msToTs(ms) }).finally(() => {
        over = true;
      });
      // the server offers a task that no worker takes again and again, and locks time skipping each time
      while (untended > 0 && !over) {
        await Promise.race([slept, pause(20)]);
        if (over) break;
        await time.unlockTimeSkipping({}).then(
          () => released++,
          () => {},
        );
      }
      await slept;
      for (let task = 0; task < released; task++) await time.lockTimeSkipping({});
    },
    close: stop,
  };
}
