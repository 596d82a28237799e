import { afterAll, describe, it } from 'vitest';
import { surviveFreeze } from '../support/crash/frozen-relay.js';
import { clusterSite, lent } from '../support/crash/sites.js';
import { ownDatabase } from '../support/database.js';
import { postgresPrograms, startPostgres } from '../support/postgres-server.js';
import { Deployment } from '../support/process.js';

const programs = await postgresPrograms();
const server = process.env.HANDOVER_TEST_DATABASE_URL;
const none = programs === undefined && server === undefined;

describe.skipIf(none)(
  `a frozen worker${none ? ' (skipped: no programs of Postgres, no HANDOVER_TEST_DATABASE_URL)' : ''}`,
  () => {
    const given = ownDatabase(server ?? '');
    const undo: (() => Promise<void>)[] = [];
    afterAll(async () => {
      for (const each of undo.reverse()) await each();
    });

    it('SIGSTOP for 60 s under 50 callbacks a second: another relay takes over within 20 s; every event is applied within 30 s, in order, with one verdict', async () => {
      const deployment = await Deployment.create();
      undo.push(() => deployment.remove());
      const own = server === undefined && programs !== undefined ? await startPostgres(programs) : undefined;
      if (own !== undefined) undo.push(() => own.remove());
      const database = own ?? lent(await given());
      const seed = Number(process.env.CRASH_SEED ?? 20_261_122);
      await surviveFreeze((platformUrl) => clusterSite(deployment, platformUrl, database), database.url, {
        seed,
        callbacks: 3_600,
        perSecond: 50,
        frozenMs: 60_000,
        takeoverMs: 20_000,
        appliedMs: 30_000,
      });
    }, 900_000);
  },
);
