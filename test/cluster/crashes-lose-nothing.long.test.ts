import { afterAll, describe, it } from 'vitest';
import type { Cluster } from '../support/cluster/cluster.js';
import { clusterAt, siteOfKills } from '../support/cluster/sites.js';
import { whyNoCluster } from '../support/cluster/temporal-server.js';
import { surviveCrashes } from '../support/crash/intake-crash.js';

const why = await whyNoCluster();
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 2 ** 31);

describe.skipIf(why !== undefined)(`the cluster${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let cluster: Cluster | undefined;
  afterAll(() => cluster?.remove());

  it('each process of Handover killed twice, Temporal’s server too, and both databases once: each event has one verdict, each command acts once', async () => {
    console.info(`CRASH_SEED=${seed} repeats this run`);
    // not the sandbox: the platform of this test takes its place, and the demo's test kills it
    const killed = ['api-1', 'worker-1', 'api-2', 'worker-2'];
    const start = async (platformUrl: string) => {
      cluster = await clusterAt(platformUrl);
      return siteOfKills(cluster, killed);
    };
    const kills = 2 * killed.length;
    await surviveCrashes(start, {
      seed,
      callbacks: 1_780,
      rentals: 10,
      kills,
      engineKills: 2,
      perSecond: 60,
    });
  }, 2_700_000);
});
