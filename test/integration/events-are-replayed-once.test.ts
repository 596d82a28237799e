import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { EventChannel } from '../../src/domain/reservation/types.js';
import type { CallbackWire } from '../../src/inbox/event/decode.js';
import type { ReadingTools } from '../../src/inbox/event/read-event.js';
import { toArrival } from '../../src/inbox/receive/arrival.js';
import { readInboxEvent } from '../../src/inbox/replay/inbox-event.js';
import { type ReplayOrder, replay as replayOnce } from '../../src/inbox/replay/replay.js';
import { createAudit } from '../../src/store/audit.js';
import { backlog } from '../../src/store/callbacks/backlog.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { listInbox } from '../../src/store/callbacks/list.js';
import { allShards } from '../../src/store/callbacks/shard.js';
import type { ReplaySelection } from '../../src/store/callbacks/types.js';
import {
  countRefusal,
  markDeadLetters,
  markSent,
  recordVerdicts,
} from '../../src/store/callbacks/verdicts.js';
import { waitingEvents } from '../../src/store/callbacks/waiting.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { answers, audit, inbox, inboxReplays, timeline } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { aReservation, pathOf, reservationBody, statusBody, wire } from '../support/callbacks.js';
import { onEveryDatabase } from '../support/database.js';
import { answersIn, contentHashes, sealer } from '../support/intake.js';

const order = { by: 'lee', reason: 'the profile is fixed', at: Date.UTC(2026, 10, 21, 12) };
/** A profile that reads nothing. */
const broken: CallbackWire = {
  ...wire,
  decode: () => {
    throw new Error('not of this profile');
  },
};
const tools = { wire, sealer };
const replay = async (
  db: HandoverDatabase['db'],
  reading: ReadingTools,
  selection: ReplaySelection,
  by: ReplayOrder,
  options?: { limit: number },
) => {
  const answer = await replayOnce(db, { ...reading, answers: answersIn(db) }, selection, by, options);
  if (answer === 'reused') throw new Error('the key stands for another request');
  return answer;
};

onEveryDatabase('what a person has read again', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    for (const table of [inbox, inboxReplays, timeline, audit, answers]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const rows = () => database.db.select().from(inbox).orderBy(asc(inbox.id));
  let stored = 0;
  const store = async (
    channel: EventChannel,
    body: string | Buffer,
    {
      as = wire,
      headers = {},
      receivedAt = 1_000,
    }: { as?: CallbackWire; headers?: object; receivedAt?: number } = {},
  ): Promise<number> => {
    const arrival = toArrival(
      {
        channel,
        path: pathOf(channel),
        headers: { 'webhook-id': `msg_${++stored}`, ...headers },
        raw: Buffer.from(body),
        receivedAt,
      },
      { wire: as, contentHashes },
    );
    await createInboxStore(database, sealer).store(arrival);
    return (await rows()).at(-1)?.id ?? 0;
  };
  const settle = (ids: number[], verdict: 'applied' | 'invalid' = 'applied', rule = 'L03') =>
    recordVerdicts(
      database.db,
      ids.map((id) => ({ id, replays: 0 })),
      { verdict, rule, at: 2_000 },
    );
  const row = async (id: number) => (await database.db.select().from(inbox).where(eq(inbox.id, id)))[0];

  it('an event that is put back waits in its old place, with its earlier verdict stored and the command in the audit', async () => {
    const id = await store('status', statusBody(1, 10));
    await settle([id]);
    const later = await store('status', statusBody(1, 15));
    expect(await replay(database.db, tools, { id }, order)).toEqual({
      events: [{ id, reservationId: 1, replay: 1 }],
      skipped: [],
      nextCursor: null,
    });
    expect(await row(id)).toMatchObject({
      state: 'received',
      verdict: null,
      replays: 1,
      replayedAt: order.at,
    });
    const { batches } = await waitingEvents(database.db, {
      shards: allShards,
      except: [],
      waitMs: 0,
      pairsWait: false,
      now: Date.now(),
      reservations: 1,
      maxEvents: 9,
      maxBytes: 9_999,
    });
    expect(batches[0]?.rows.map((one) => [one.id, one.replays])).toEqual([
      [id, 1],
      [later, 0],
    ]);
    const { items } = await createAudit(database.db, sealer).list({ limit: 5 });
    expect(items).toMatchObject([
      {
        at: order.at,
        by: 'lee',
        action: 'inbox.replay',
        subject: `inbox/${id}`,
        reasonCode: null,
        reason: order.reason,
        data: { id, events: 1, skipped: 0 },
      },
    ]);
    const shown = await readInboxEvent(database.db, tools, id);
    expect(shown?.earlier).toEqual([
      {
        replay: 1,
        at: order.at,
        by: 'lee',
        reservationId: 1,
        state: 'done',
        verdict: 'applied',
        rule: 'L03',
        verdictAt: 2_000,
        failures: 0,
        lastError: null,
      },
    ]);
  });

  it('of two managers who put back the same event at once, one does it', async () => {
    const id = await store('status', statusBody(1, 10));
    await settle([id]);
    const both = await Promise.all([1, 2].map(() => replay(database.db, tools, { id }, order)));
    expect(both.flatMap(({ events }) => events)).toEqual([{ id, reservationId: 1, replay: 1 }]);
    expect(await database.db.select().from(audit)).toHaveLength(1);
    const third = await replay(database.db, tools, { id }, order);
    expect(third).toEqual({ events: [], skipped: [{ id, code: 'EVENT_ON_ITS_WAY' }], nextCursor: null });
    expect(await database.db.select().from(audit)).toHaveLength(1);
  });

  it('late results of the first reading change nothing of the second: no mark, verdict, refusal or dead letter', async () => {
    const id = await store('status', statusBody(1, 10));
    await settle([id]);
    await replay(database.db, tools, { id }, order);
    const first = { id, replays: 0 };
    await markSent(database.db, [first], 3_000);
    await settle([id], 'invalid', 'L63');
    expect(await countRefusal(database.db, first, 'INVALID_ARGUMENT')).toBe(0);
    const buried = { reservationId: 1, rows: [first], code: 'INVALID_ARGUMENT' };
    expect(await markDeadLetters(database.db, buried)).toEqual([]);
    const record = createRecorder(database.db);
    const late = { inboxId: id, verdict: 'stale' as const, rule: 'L03' };
    await record({ reservationId: 1, verdicts: [late], entries: [] });
    expect(await row(id)).toMatchObject({ state: 'received', verdict: null, failures: 0, lastError: null });
    await markSent(database.db, [{ id, replays: 1 }], 4_000);
    expect(await row(id)).toMatchObject({ state: 'sent', sentAt: 4_000 });
    await record({
      reservationId: 1,
      verdicts: [late, { ...late, replay: 1, verdict: 'duplicate' }],
      entries: [],
    });
    expect(await row(id)).toMatchObject({ state: 'done', verdict: 'duplicate' });
  });

  it('a verdict is reported with the moment since when it was due, and whether it is that of a replay', async () => {
    const reported: unknown[] = [];
    const record = createRecorder(database.db, undefined, (rows) => void reported.push(...rows));
    const ids = [await store('status', statusBody(1, 10)), await store('status', statusBody(1, 15))];
    const judge = (replay?: number) => {
      const judged = { verdict: 'applied' as const, rule: 'L03', ...(replay !== undefined && { replay }) };
      const [inboxId = 0, other = 0] = ids;
      const verdicts = [
        { inboxId, ...judged },
        ...(replay === undefined ? [{ inboxId: other, ...judged }] : []),
      ];
      return record({ reservationId: 1, verdicts, entries: [] });
    };
    await judge();
    expect(reported).toEqual(ids.map(() => ({ verdict: 'applied', receivedAt: 1_000, isReplay: false })));
    await replay(database.db, tools, { id: ids[0] ?? 0 }, order);
    await judge(1);
    expect(reported.slice(2)).toEqual([{ verdict: 'applied', receivedAt: order.at, isReplay: true }]);
    await replay(database.db, tools, { id: ids[1] ?? 0 }, order);
    const byRelay = { verdict: 'invalid' as const, rule: 'L63', at: 5_000 };
    expect(await recordVerdicts(database.db, [{ id: ids[1] ?? 0, replays: 1 }], byRelay)).toEqual([
      { verdict: 'invalid', receivedAt: order.at, isReplay: true },
    ]);
  });

  it('L63: an event that could not be read goes to the reservation that today’s profile reads', async () => {
    const id = await store('update', reservationBody('update', aReservation(7)), { as: broken });
    expect(await row(id)).toMatchObject({ reservationId: null });
    await settle([id], 'invalid', 'L63');
    expect((await readInboxEvent(database.db, { wire: broken, sealer }, id))?.unreadable).toMatchObject({
      code: 'NOT_IN_PROFILE',
      fields: [],
    });
    const { events } = await replay(database.db, tools, { id }, order);
    expect(events).toEqual([{ id, reservationId: 7, replay: 1 }]);
  });

  it('a selection is put back in order of arrival and in pages, without events that are on their way', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 5; i++)
      ids.push(await store('status', statusBody(i + 1, 10), { receivedAt: 1_000 + i }));
    const [first = 0, , , fourth = 0, last = 0] = ids;
    await settle(ids.slice(0, 4), 'invalid', 'L63');
    await database.db.execute(sql`update inbox set raw = null where id = ${first}`);
    const page = async (cursor?: string) =>
      replay(database.db, tools, { verdict: 'invalid', ...(cursor !== undefined && { cursor }) }, order, {
        limit: 2,
      });
    const one = await page();
    expect(one).toMatchObject({ events: [{ id: ids[1] }], skipped: [{ id: first, code: 'BODY_REMOVED' }] });
    const two = await page(one.nextCursor ?? '');
    expect(two).toMatchObject({ events: [{ id: ids[2] }, { id: fourth }], skipped: [], nextCursor: null });
    expect(await row(last)).toMatchObject({ replays: 0 });
    const { items } = await createAudit(database.db, sealer).list({ subject: 'inbox', limit: 5 });
    expect(items.map(({ data }) => data)).toEqual([
      { verdict: 'invalid', events: 2, skipped: 0 },
      { verdict: 'invalid', events: 1, skipped: 1 },
    ]);
    const between = { from: 1_001, to: 1_003, limit: 9 };
    expect((await listInbox(database.db, between)).items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect((await listInbox(database.db, { state: 'done', limit: 9 })).items.map(({ id }) => id)).toEqual([
      first,
    ]);
  });

  it('an event that was sent ten minutes ago and has no verdict is put back, one sent just now is not', async () => {
    const lost = await store('status', statusBody(1, 10));
    const young = await store('status', statusBody(1, 15));
    await markSent(database.db, [{ id: lost, replays: 0 }], order.at - 601_000);
    await markSent(database.db, [{ id: young, replays: 0 }], order.at - 599_000);
    expect(await backlog(database.db)).toMatchObject({ events: 0, unjudgedAt: order.at - 601_000 });
    expect(await replay(database.db, tools, { id: young }, order)).toMatchObject({
      skipped: [{ id: young, code: 'EVENT_ON_ITS_WAY' }],
    });
    expect(await replay(database.db, tools, { from: 1, state: 'sent' }, order)).toMatchObject({
      events: [{ id: lost, replay: 1 }],
      skipped: [],
    });
    expect(await row(lost)).toMatchObject({ state: 'received', sentAt: null, replays: 1 });
    expect(await row(young)).toMatchObject({ state: 'sent', replays: 0 });
    expect((await readInboxEvent(database.db, tools, lost))?.earlier).toMatchObject([{ state: 'sent' }]);
    // the workflow was not lost after all: its verdict of the first reading judges the second no longer
    const verdict = { inboxId: lost, verdict: 'applied', rule: 'L18' } as const;
    await createRecorder(database.db)({ reservationId: 1, verdicts: [verdict], entries: [] });
    expect(await row(lost)).toMatchObject({ state: 'received', verdict: null });
  });

  it('a dead letter that is put back starts again, with its earlier failures stored beside it', async () => {
    const id = await store('status', statusBody(1, 10));
    await database.db.execute(
      sql`update inbox set state = 'dead', failures = 10, last_error = 'INVALID_ARGUMENT' where id = ${id}`,
    );
    expect((await backlog(database.db)).deadLetters).toBe(1);
    await replay(database.db, tools, { state: 'dead' }, order);
    expect(await row(id)).toMatchObject({ state: 'received', failures: 0, lastError: null });
    expect(await backlog(database.db)).toMatchObject({ deadLetters: 0, events: 1, oldestAt: order.at });
    const other = await store('status', statusBody(2, 10), { receivedAt: order.at - 5_000 });
    expect(await backlog(database.db)).toMatchObject({ events: 2, oldestAt: order.at - 5_000 });
    expect(other).toBeGreaterThan(id);
    expect((await readInboxEvent(database.db, tools, id))?.earlier).toMatchObject([
      { state: 'dead', verdict: null, failures: 10, lastError: 'INVALID_ARGUMENT' },
    ]);
  });

  it('an event that no key decrypts stays where it is, so that nothing waits behind it', async () => {
    const id = await store('status', statusBody(1, 10));
    await settle([id]);
    const other = createSealer([{ id: 'other', key: Buffer.alloc(32, 1) }]);
    const blind = { wire, sealer: other };
    expect(await replay(database.db, blind, { id }, order)).toMatchObject({
      skipped: [{ id, code: 'CODEC_KEY_UNKNOWN' }],
    });
    await database.db.execute(
      sql`update inbox set raw = set_byte(raw, 60, get_byte(raw, 60) # 255) where id = ${id}`,
    );
    expect(await replay(database.db, tools, { id }, order)).toMatchObject({
      skipped: [{ id, code: 'CODEC_PAYLOAD_DAMAGED' }],
    });
    expect(await row(id)).toMatchObject({ state: 'done', replays: 0 });
    expect(await database.db.select().from(audit)).toEqual([]);
    expect(await readInboxEvent(database.db, tools, id)).toMatchObject({
      raw: null,
      event: null,
      unreadable: { code: 'CODEC_PAYLOAD_DAMAGED', fields: [] },
    });
  });

  it('an audit reason whose key is missing names the key, and the rest is read', async () => {
    const id = await store('status', statusBody(1, 10));
    await settle([id]);
    await replay(database.db, tools, { id }, order);
    const other = createSealer([{ id: 'other', key: Buffer.alloc(32, 1) }]);
    const { items } = await createAudit(database.db, other).list({
      by: 'lee',
      action: 'inbox.replay',
      limit: 5,
    });
    expect(items).toMatchObject([{ reason: null, reasonCode: 'CODEC_KEY_UNKNOWN', subject: `inbox/${id}` }]);
    const [row] = await database.db.select().from(audit);
    expect(row?.reason?.toString('latin1')).not.toContain(order.reason);
  });

  it('L21: a repeat with the same key gets the first answer, also at the same moment; another request is refused', async () => {
    const [id, other] = [await store('status', statusBody(1, 10)), await store('status', statusBody(1, 15))];
    await settle([id, other]);
    const keyed = { ...order, commandId: 'key-1' };
    const first = await Promise.all([1, 2].map(() => replay(database.db, tools, { id }, keyed)));
    expect(first[0]?.events).toEqual([{ id, reservationId: expect.any(Number), replay: 1 }]);
    expect(first[1]).toEqual(first[0]);
    await settle([id]);
    expect(await replay(database.db, tools, { id }, { ...keyed, at: order.at + 1 })).toEqual(first[0]);
    expect((await createAudit(database.db, sealer).list({ limit: 10 })).items).toHaveLength(1);
    const others = [
      replay(database.db, tools, { id: other }, keyed),
      replay(database.db, tools, { id }, { ...keyed, reason: 'x' }),
    ];
    // together: a refusal that is not awaited yet ends the process
    await Promise.all(others.map((one) => expect(one).rejects.toThrow('another request')));
    // what did nothing may be requested again
    const waiting = { ...order, commandId: 'key-2' };
    const young = await store('status', statusBody(1, 20));
    expect((await replay(database.db, tools, { id: young }, waiting)).events).toEqual([]);
    await settle([young]);
    expect((await replay(database.db, tools, { id: young }, waiting)).events).toHaveLength(1);
    const text = JSON.stringify(await database.db.select().from(answers));
    expect(text).not.toContain(order.reason);
  });

  it('the audit is read in pages, the newest first', async () => {
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push(await store('status', statusBody(1, 10 + i)));
    await settle(ids);
    for (const id of ids) await replay(database.db, tools, { id }, order);
    const one = await createAudit(database.db, sealer).list({ limit: 2 });
    const two = await createAudit(database.db, sealer).list({ limit: 2, cursor: one.nextCursor ?? '' });
    expect([...one.items, ...two.items].map(({ subject }) => subject)).toEqual(
      ids.map((id) => `inbox/${id}`).toReversed(),
    );
    expect(two.nextCursor).toBeNull();
  });

  it.each([
    ['{"a":', {}, 'NOT_JSON', 'utf-8'],
    ['ff00', {}, 'NOT_UTF8', 'base64'],
    ['{}', { 'content-encoding': 'gzip' }, 'CONTENT_CODING_UNREADABLE', 'utf-8'],
    ['{"reservationId":1}', {}, 'NOT_IN_PROFILE', 'utf-8'],
  ])(
    '%s is shown as it was received, with the reason why it cannot be read',
    async (text, headers, code, encoding) => {
      const body = code === 'NOT_UTF8' ? Buffer.from(text, 'hex') : Buffer.from(text);
      const id = await store('status', body, { headers });
      const shown = await readInboxEvent(database.db, tools, id);
      expect(shown).toMatchObject({ event: null, unreadable: { code } });
      expect(shown?.raw?.encoding).toBe(encoding);
      expect(Buffer.from(shown?.raw?.content ?? '', encoding as BufferEncoding)).toEqual(body);
      expect(shown?.unreadable?.fields).toEqual(code === 'NOT_IN_PROFILE' ? ['reservationStatus'] : []);
    },
  );
});
