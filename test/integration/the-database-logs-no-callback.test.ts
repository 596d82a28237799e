import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import type { Arrival } from '../../src/store/callbacks/types.js';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { eventually } from '../support/eventually.js';
import { sealer } from '../support/intake.js';
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres-server.js';

const programs = await postgresPrograms();
const without = programs === undefined ? ' (no Postgres programs)' : '';

const arrival = (eventId: string, changes: Partial<Arrival> = {}): Arrival => ({
  identity: 'webhook-id',
  eventId,
  channel: 'status',
  path: '/canary-path',
  reservationId: 1,
  receivedAt: 1_000,
  headers: { 'user-agent': 'canary-agent', 'x-forwarded-for': '203.0.113.77' },
  raw: Buffer.from(`canary-body ${'x'.repeat(2_000)}`),
  contentHashes: [`canary-hash of ${eventId}`],
  ...changes,
});

describe.skipIf(programs === undefined)(`L60: a callback that the database does not store${without}`, () => {
  let server: PostgresServer;
  let database: HandoverDatabase;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
    database = await openHandoverDatabase({ url: server.url, folder: '' });
    await database.db.execute(sql`
      create function fail() returns trigger language plpgsql as $$ begin
        if new.event_id like '%slow%' then perform pg_sleep(10); end if;
        raise exception 'fails on purpose';
      end $$`);
    await database.db.execute(sql`
      create trigger fail before insert on inbox for each row
        when (new.event_id like '%fails%' or new.event_id like '%slow%') execute function fail()`);
  }, 60_000);
  afterAll(async () => {
    await database?.close();
    await server?.remove();
  }, 60_000);

  it.each([
    ['fails', 'fails on purpose'],
    ['is slow', 'canceling statement due to statement timeout'],
  ])('because the insert %s, is not in its log', async (how, error) => {
    const store = createInboxStore(database, sealer, { forwards: true });
    const several = [1, 2, 3].map((n) => store.store(arrival(`canary-id ${how} ${n}`)));
    const byContent = store.store(
      arrival(`canary-content ${how}`, { identity: 'content', reservationId: 2 }),
    );
    await Promise.all([...several, byContent].map((one) => expect(one).rejects.toThrow()));
    const log = await eventually('it is logged', async () => {
      const text = await server.log();
      return text.includes(error) && text.includes('insert into inbox') && text;
    });
    expect(log).toContain('STATEMENT:');
    expect(log).not.toContain('canary');
    expect(log).not.toContain('203.0.113.77');
    // a sealed body
    expect(log).not.toMatch(/[A-Za-z0-9+/=]{100}/);
  });
});
