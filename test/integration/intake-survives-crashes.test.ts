import { afterAll, expect, it } from 'vitest';
import { surviveCrashes } from '../support/crash/intake-crash.js';
import { embeddedSite } from '../support/crash/sites.js';
import { Deployment } from '../support/process.js';

let deployment: Deployment | undefined;
afterAll(() => deployment?.remove());

it('L01: the product, killed once and its engine once, gives each event one verdict and each command acts once', async () => {
  deployment = await Deployment.createWithDatabases();
  const own = deployment;
  await surviveCrashes((platformUrl) => embeddedSite(own, platformUrl), {
    seed: 20_261_121,
    callbacks: 60,
    rentals: 2,
    kills: 1,
    engineKills: 1,
    perSecond: 40,
  });
  expect(own.log()).toContain('shards of this relay');
}, 600_000);
