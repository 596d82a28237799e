import { afterAll, describe, it } from 'vitest';
import type { Cluster } from '../support/cluster/cluster.js';
import { clusterAt, siteOfRestarts } from '../support/cluster/sites.js';
import { whyNoCluster } from '../support/cluster/temporal-server.js';
import { surviveCrashes } from '../support/crash/intake-crash.js';

const why = await whyNoCluster();
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 2 ** 31);

describe.skipIf(why !== undefined)(`the cluster${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let cluster: Cluster | undefined;
  afterAll(() => cluster?.remove());

  it('a rolling restart under 50 callbacks a second refuses no callback, and loses no effect', async () => {
    console.info(`CRASH_SEED=${seed} repeats this run`);
    // not the sandbox: the platform of this test takes its place
    const restarted = ['api-1', 'worker-1', 'temporal', 'api-2', 'worker-2', 'temporal-db', 'handover-db'];
    const start = async (platformUrl: string) => {
      cluster = await clusterAt(platformUrl);
      return siteOfRestarts(cluster, restarted);
    };
    // each of eight lanes waits for its answer before its pause: so many make fifty a second
    const pace = { callbacks: 6_000, perSecond: 56 };
    const plan = { seed, ...pace, rentals: 10, kills: restarted.length, engineKills: 0 };
    await surviveCrashes(start, { ...plan, refusesNone: true });
    console.info('memory and processors since their restarts:', await cluster?.usage());
  }, 2_700_000);
});
