import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { warnOfPooler } from '../../src/app/parts/pooler-warning.js';
import { relayLease } from '../../src/inbox/relay/plan-leases.js';
import { notificationsArrive } from '../../src/store/connection/notifications-arrive.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { checkDatabase } from '../../src/tools/doctor/database.js';
import { onEveryDatabase, ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startPoolerPeer } from '../support/pooler-peer.js';

async function warnings(database: HandoverDatabase): Promise<unknown[]> {
  const warned: unknown[] = [];
  await warnOfPooler(database, { warn: (about: object) => void warned.push(about) } as never);
  return warned;
}

onEveryDatabase('a database that is reached directly', (lane) => {
  it('delivers notifications, and nothing is logged', async () => {
    const database = await lane.open();
    expect(await notificationsArrive(database)).toBe(true);
    expect(await warnings(database)).toEqual([]);
    await database.close();
  });
});

const server = process.env.HANDOVER_TEST_DATABASE_URL;
describe.skipIf(server === undefined)(
  `behind a pooler in transaction mode${server === undefined ? ' (skipped: no HANDOVER_TEST_DATABASE_URL)' : ''}`,
  () => {
    const own = ownDatabase(server ?? '');
    let direct: HandoverDatabase;
    let pooled: HandoverDatabase;
    let pooler: Awaited<ReturnType<typeof startPoolerPeer>>;
    beforeAll(async () => {
      const url = await own();
      pooler = await startPoolerPeer(url);
      direct = await openHandoverDatabase({ url, folder: '' });
      pooled = await openHandoverDatabase({ url: pooler.url, folder: '' });
    });
    afterAll(async () => {
      await pooled.close();
      await direct.close();
      await pooler.close();
    });

    it('the start logs it, and the doctor says what to do', async () => {
      expect(await notificationsArrive(pooled, 200)).toBe(false);
      expect(await warnings(pooled)).toEqual([{ code: 'SESSION_FEATURES_MISSING' }]);
      const findings = [];
      for await (const finding of checkDatabase(pooler.url)) findings.push(finding);
      expect(findings).toContainEqual(
        expect.objectContaining({
          check: 'sessions',
          result: 'warn',
          todo: expect.stringMatching('session pooling'),
        }),
      );
    });

    it('a lease ends by its time alone: the server process is not its holder’s', async () => {
      const claim = { names: [relayLease], most: 1, holder: 'pooled', durationMs: 400 };
      const [first, second] = [await pooled.session(), await direct.session()];
      expect(await first.claimLeases(claim)).toHaveLength(1);
      await first.close();
      expect(await second.claimLeases({ ...claim, holder: 'direct' })).toEqual([]);
      const lease = await eventually('its time is over', async () => {
        const [claimed] = await second.claimLeases({ ...claim, holder: 'direct', durationMs: 60_000 });
        return claimed;
      });
      expect(lease.epoch).toBe(2);
      await second.close();
      const third = await direct.session();
      await eventually('a holder that is gone frees a lease before its time', async () => {
        return (await third.claimLeases({ ...claim, holder: 'third' })).length > 0;
      });
      await third.close();
    });
  },
);
