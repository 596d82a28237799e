import { afterAll, describe, expect, it } from 'vitest';
import { type CrashPlan, surviveCrashes } from '../support/crash/intake-crash.js';
import { clusterSite, embeddedSite, lent } from '../support/crash/sites.js';
import { ownDatabase } from '../support/database.js';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres-server.js';
import { Deployment } from '../support/process.js';

const deployments: Deployment[] = [];
const deployed = async () => {
  const deployment = await Deployment.create();
  deployments.push(deployment);
  return deployment;
};
afterAll(() => Promise.all(deployments.map((deployment) => deployment.remove())));

function plan(): CrashPlan {
  const seed = Number(process.env.CRASH_SEED ?? Date.now() % 2 ** 31);
  console.info(`CRASH_SEED=${seed} repeats this run`);
  return { seed, callbacks: 1_780, rentals: 20, kills: 20, engineKills: 2, perSecond: 60 };
}

it('2,000 callbacks, 20 kills of the process and 2 of the engine: each event has one verdict, each command acts once', async () => {
  const deployment = await deployed();
  await surviveCrashes((platformUrl) => embeddedSite(deployment, platformUrl), plan());
  expect(deployment.log()).toContain('shards of this relay');
}, 1_800_000);

const programs = await postgresPrograms();
const server = process.env.HANDOVER_TEST_DATABASE_URL;
const where = programs === undefined ? 'a database that is cut off' : 'a Postgres that crashes and recovers';
const none = programs === undefined && server === undefined;
describe.skipIf(none)(
  `on Postgres${none ? ' (skipped: no programs of it, no HANDOVER_TEST_DATABASE_URL)' : ''}`,
  () => {
    const given = ownDatabase(server ?? '');
    let own: PostgresServer | undefined;
    afterAll(() => own?.remove());

    it(`2,000 callbacks, 20 kills of receivers and relays, 2 of the engine, and ${where}: the same`, async () => {
      const deployment = await deployed();
      own = programs === undefined ? undefined : await startPostgres(programs);
      const database = own ?? lent(await given());
      await surviveCrashes((platformUrl) => clusterSite(deployment, platformUrl, database), plan());
    }, 1_800_000);
  },
);
