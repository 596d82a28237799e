import { afterAll, describe, it } from 'vitest';
import type { Cluster } from '../support/cluster/cluster.js';
import { clusterAt, siteOfRestarts } from '../support/cluster/sites.js';
import { whyNoCluster } from '../support/cluster/temporal-server.js';
import { surviveRestarts } from '../support/crash/rolling-restart.js';

const why = await whyNoCluster();
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 2 ** 31);

describe.skipIf(why !== undefined)(`the cluster${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let cluster: Cluster | undefined;
  afterAll(() => cluster?.remove());

  it('a rolling restart under 50 callbacks a second, without a pause, refuses no callback, and loses no effect', async () => {
    console.info(`CRASH_SEED=${seed} repeats this run`);
    // not the sandbox: the platform of this test takes its place, and the demo's test restarts it
    const restarted = ['api-1', 'worker-1', 'temporal', 'api-2', 'worker-2', 'temporal-db', 'handover-db'];
    const start = async (platformUrl: string) => {
      cluster = await clusterAt(platformUrl);
      return siteOfRestarts(cluster);
    };
    await surviveRestarts(start, { seed, perSecond: 50, restarted, rentals: 2 });
  }, 2_700_000);
});
