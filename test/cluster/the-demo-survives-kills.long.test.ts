import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoOptions, runDemo } from '../../src/tools/demo/driver.js';
import { scenarios } from '../../src/tools/demo/scenarios.js';
import { Cluster } from '../support/cluster/cluster.js';
import { whyNoCluster } from '../support/cluster/temporal-server.js';
import { eventually } from '../support/eventually.js';

const why = await whyNoCluster();
/** The small form kills one process of each kind. */
const isSmall = process.env.HANDOVER_TEST_CLUSTER === 'small';
const killed = isSmall
  ? ['worker-1', 'temporal', 'api-1']
  : ['sandbox', 'api-1', 'worker-1', 'temporal', 'api-2', 'worker-2'];
/** Until the last kill the stories are slower than any restart, so that none is over before; then they hurry to their ends. */
const paceMs = { untilLastKill: isSmall ? 15_000 : 40_000, afterIt: 500 };

describe.skipIf(why !== undefined)(
  `the programs and environments of docker-compose.yml${why === undefined ? '' : ` (skipped: ${why})`}`,
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await Cluster.start();
    }, 1_500_000);
    afterAll(() => cluster?.remove());

    it("play the demo's five stories to their ends, while each process is killed in turn", async () => {
      const stop = new AbortController();
      const token = cluster.variable('api', 'HANDOVER_TOKENS').match(/staff:([^,]+)/)?.[1] ?? '';
      const moves = new Map<number, number>();
      const options: DemoOptions = {
        apiUrl: cluster.apiUrl,
        token,
        sandboxUrl: cluster.sandboxUrl,
        supplierKey: cluster.variable('api', 'PLATFORM_SUPPLIER_API_KEY'),
        signal: stop.signal,
        paceMs: paceMs.untilLastKill,
        onProgress: ({ reservationId, statuses }) => void moves.set(reservationId, statuses.length),
      };
      let isOver = false;
      const demo = runDemo(options).finally(() => {
        isOver = true;
      });
      const count = () => [...moves.values()].reduce((sum, moved) => sum + moved, 0);
      const kills = async () => {
        for (const name of killed) {
          const before = count();
          await eventually('a story moves', () => count() > before || isOver, 120_000);
          await cluster.programs[name]?.end('SIGKILL');
          // where they are over, it proves nothing
          expect({ name, isOver }).toEqual({ name, isOver: false });
          await cluster.whenHealthy(...(name === 'temporal' ? [] : [name]));
        }
        options.paceMs = paceMs.afterIt;
      };
      try {
        const [stories] = await Promise.all([demo, kills()]);
        for (const { scenario, statuses, reservationId } of stories)
          expect([scenario, reservationId, statuses.at(-1)]).toEqual([
            scenario,
            reservationId,
            scenarios[scenario].ends,
          ]);
        expect(stories).toHaveLength(5);
      } finally {
        stop.abort();
      }
      for (const name of killed) expect([name, cluster.programs[name]?.starts]).not.toEqual([name, 1]);
      await cluster.whenReady();
    }, 900_000);

    it.skipIf(isSmall)(
      'the sandbox ends in order, and is back: the rolling restart has a platform of its own',
      async () => {
        expect(await cluster.programs.sandbox?.end('SIGTERM')).toBe(0);
        await cluster.whenHealthy('sandbox');
      },
      120_000,
    );

    it('are as the doctor wants them, for each part', async () => {
      await cluster.doctor('api-1', ['--callback-url', cluster.callbackUrl]);
      await cluster.doctor('worker-1');
    }, 120_000);
  },
);
