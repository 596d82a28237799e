import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { intakeProbeOf } from '../../src/app/parts/receiver/intake.js';
import { ShortOutages } from '../../src/store/connection/short-outages.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import { pathOf, signedHeaders, statusBody } from '../support/callbacks.js';
import { ownDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/intake.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const without = server === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : '';

describe.skipIf(server === undefined)(
  `while the inbox is locked, as by vacuum full (Postgres${without})`,
  () => {
    const own = ownDatabase(server ?? '');
    let beside: pg.Client;
    let database: HandoverDatabase;
    let receiver: Awaited<ReturnType<typeof startReceiver>>;
    beforeAll(async () => {
      const url = await own();
      database = await openHandoverDatabase({ url, folder: '' });
      beside = new pg.Client(url);
      await beside.connect();
      receiver = await startReceiver(database);
    });
    afterAll(async () => {
      await receiver?.close();
      await database?.close();
      await beside?.end();
    });

    it('a callback is answered 503 although the intake is ready, and its repeat is stored once', async () => {
      const body = statusBody(8421, 10);
      const send = () => receiver.post(pathOf('status'), body, signedHeaders(body, { id: 'msg_1' }));
      await beside.query('begin; lock table inbox in access exclusive mode');
      try {
        expect(await send()).toMatchObject({ status: 503, problem: { code: 'STORE_UNAVAILABLE' } });
        await eventually('no commit waits any more for the table', async () => {
          const { rows } = await beside.query(
            `select count(*)::integer as waiting from pg_locks where relation = 'inbox'::regclass and not granted`,
          );
          return rows[0].waiting === 0;
        });
        await intakeProbeOf(database, new ShortOutages())();
      } finally {
        await beside.query('rollback');
      }
      expect(await send()).toMatchObject({ status: 204 });
      expect(await database.db.select().from(inbox)).toMatchObject([{ eventId: 'msg_1', copies: 1 }]);
    });
  },
);
