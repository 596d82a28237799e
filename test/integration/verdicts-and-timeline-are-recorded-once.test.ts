import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { TimelineEntry, Verdict } from '../../src/domain/reservation/types.js';
import { createInboxStore } from '../../src/store/callbacks/insert.js';
import { listInbox } from '../../src/store/callbacks/list.js';
import { markSent } from '../../src/store/callbacks/verdicts.js';
import { CursorError } from '../../src/store/cursor.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createRecorder, writeTogether } from '../../src/store/reservations/record.js';
import { createTimeline } from '../../src/store/reservations/timeline.js';
import { inbox, timeline } from '../../src/store/schema.js';
import { statusArrival } from '../support/arrivals.js';
import { onEveryDatabase } from '../support/database.js';
import { sealer } from '../support/intake.js';

onEveryDatabase('the record step', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    await database.db.delete(inbox);
    await database.db.delete(timeline);
  });
  afterAll(() => database.close());

  const store = async (count: number, reservationId: number | null = 1): Promise<number[]> => {
    const target = createInboxStore(database, sealer);
    const known = (await rows()).length;
    for (let i = known; i < known + count; i++) {
      const channel = i % 2 === 0 ? 'update' : 'status';
      const changes = { channel, receivedAt: 1_000 + i, raw: Buffer.from('driver') } as const;
      await target.store(statusArrival(`msg_${i}`, reservationId, changes));
    }
    return (await rows()).slice(known).map(({ id }) => id);
  };
  const rows = () => database.db.select().from(inbox).orderBy(asc(inbox.id));
  const entry = (seq: number, text = `line ${seq}`): TimelineEntry => ({
    seq,
    at: 5_000 + seq,
    kind: 'event',
    rule: 'L03',
    text,
    messages: [{ code: 'moved.known', data: { facts: [text] } }],
    data: { status: 10, late: true, car: null },
  });
  const verdict = (inboxId: number, verdict: Verdict, rule = 'L03') => ({ inboxId, verdict, rule });

  it('a step records the verdict of each event and the timeline', async () => {
    const [a = 0, b = 0] = await store(2);
    await createRecorder(database.db)({
      reservationId: 1,
      verdicts: [verdict(a, 'applied', 'L02'), verdict(b, 'stale')],
      entries: [entry(1), entry(2)],
    });
    expect((await rows()).map(({ state, verdict, rule }) => [state, verdict, rule])).toEqual([
      ['done', 'applied', 'L02'],
      ['done', 'stale', 'L03'],
    ]);
    expect((await createTimeline(database.db).read(1, { limit: 10 })).items).toEqual([entry(1), entry(2)]);
  });

  it('an entry that an earlier release scheduled has its text alone', async () => {
    const { messages: _, ...earlier } = entry(1);
    await createRecorder(database.db)({ reservationId: 1, verdicts: [], entries: [earlier, entry(2)] });
    const { items } = await createTimeline(database.db).read(1, { limit: 10 });
    expect(items).toEqual([{ ...earlier, messages: null }, entry(2)]);
  });

  const linesOf = async (reservationId: number) =>
    (await createTimeline(database.db).read(reservationId, { limit: 100 })).items.map(({ seq, text }) => [
      seq,
      text,
    ]);
  const step = (...entries: TimelineEntry[]) => ({ reservationId: 1, verdicts: [], entries });

  it('an entry that another release emits under the same number is stored behind, and replaces nothing', async () => {
    const record = createRecorder(database.db);
    await record(step(entry(1, 'a callback'), entry(2, 'a deadline')));
    // it emits one entry fewer of what happened before: its next one has a number that is taken
    await record(step(entry(2, 'more news'), entry(3, 'the end')));
    expect(await linesOf(1)).toEqual([
      [1, 'a callback'],
      [2, 'a deadline'],
      [3, 'more news'],
      [4, 'the end'],
    ]);
    // it emits some more: no gap
    await record(step(entry(9, 'after the end')));
    expect((await linesOf(1)).at(-1)).toEqual([5, 'after the end']);
  });

  it('a run that starts from the beginning, or from an earlier moment, adds new entries and repeats none', async () => {
    const record = createRecorder(database.db);
    const applied = (seq: number, at: number, inboxId: number): TimelineEntry => ({
      ...entry(seq, `callback ${inboxId} is applied`),
      at,
      data: { inboxId, verdict: 'applied' },
    });
    await record(step(applied(1, 5_000, 17), entry(2, 'raised'), applied(3, 5_100, 18)));
    const stored = await linesOf(1);
    // a Temporal restored from a backup gets callback 18 again, later, and then another one
    await record(step(applied(2, 9_000, 18), applied(3, 9_000, 19)));
    expect(await linesOf(1)).toEqual([...stored, [4, 'callback 19 is applied']]);
    // what has no source of its own is distinguished from an earlier one by its instant
    await record(step({ ...entry(2, 'raised'), at: 9_500 }));
    expect((await linesOf(1)).at(-1)).toEqual([5, 'raised']);
  });

  it('a write that was abandoned and its repetition, at the same time, store each entry once', async () => {
    const entries = Array.from({ length: 5 }, (_, i) => entry(i + 1));
    const recorders = Array.from({ length: 4 }, () => createRecorder(database.db));
    const written = recorders.map((record) => record(step(...entries)));
    for (const { status } of await Promise.allSettled(written)) expect(status).toBe('fulfilled');
    expect(await linesOf(1)).toEqual(entries.map(({ seq, text }) => [seq, text]));
  });

  it('two entries of equal content at one instant are both stored', async () => {
    const record = createRecorder(database.db);
    const raised = entry(1, 'raised');
    const again = { ...raised, seq: 2, nth: 2 };
    await record(step(raised, again));
    await record(step(raised, again));
    expect(await linesOf(1)).toEqual([
      [1, 'raised'],
      [2, 'raised'],
    ]);
  });

  it('entries of 0.2.0 are unchanged, and new ones follow them', async () => {
    const { seq: _, ...old } = entry(1, 'of 0.2.0');
    await database.db.insert(timeline).values([1, 2].map((seq) => ({ reservationId: 1, seq, ...old })));
    await createRecorder(database.db)(step(entry(2, 'of 0.3.0')));
    expect(await linesOf(1)).toEqual([
      [1, 'of 0.2.0'],
      [2, 'of 0.2.0'],
      [3, 'of 0.3.0'],
    ]);
  });

  it('an entry that 0.2.0 stored is recognised by its content when it is emitted again, with its times in today’s form', async () => {
    const late = {
      ...entry(1, 'expected by 2026-11-21T09:00:00.000+0900'),
      data: { until: '2026-11-21T09:00:00.000+0900' },
    };
    const read = { ...entry(2, 'callback 17 is applied'), data: { inboxId: 17, verdict: 'applied' } };
    const raised = entry(3, 'raised');
    await database.db
      .insert(timeline)
      .values([late, read, raised].map((row) => ({ reservationId: 1, ...row, at: row.at })));
    const stored = await linesOf(1);
    const today = JSON.parse(JSON.stringify(late).replaceAll('+0900', '+09:00'));
    const record = createRecorder(database.db);
    await record(step(today, { ...read, at: 9_000 }, raised));
    expect(await linesOf(1)).toEqual(stored);
    // not another moment, another reservation, nor a second one of equal content
    await record(step({ ...raised, at: 9_000 }, { ...raised, nth: 2 }));
    await record({ ...step(raised), reservationId: 2 });
    expect((await linesOf(1)).map(([, text]) => text)).toEqual([
      ...stored.map(([, text]) => text),
      'raised',
      'raised',
    ]);
    expect(await linesOf(2)).toHaveLength(1);
  });

  it('the same step again changes nothing: stored verdicts and entries stay', async () => {
    const [a = 0] = await store(1);
    const record = createRecorder(database.db);
    await record({ reservationId: 1, verdicts: [verdict(a, 'applied')], entries: [entry(1)] });
    const before = await rows();
    await record({
      reservationId: 1,
      verdicts: [verdict(a, 'stale')],
      entries: [entry(1), entry(2)],
    });
    expect(await rows()).toEqual(before);
    expect((await createTimeline(database.db).read(1, { limit: 10 })).items).toEqual([entry(1), entry(2)]);
  });

  it('L01: an event that was sent twice has its first verdict, also where both come in one step', async () => {
    const ids = await store(20);
    const verdicts = ids.flatMap((id) => [verdict(id, 'applied', 'L04'), verdict(id, 'duplicate', 'L01')]);
    await createRecorder(database.db)({ reservationId: 1, verdicts, entries: [] });
    expect(new Set((await rows()).map(({ verdict, rule }) => `${verdict} ${rule}`))).toEqual(
      new Set(['applied L04']),
    );
  });

  it('steps of many reservations at once are each recorded', async () => {
    const ids = await store(30);
    const record = createRecorder(database.db);
    await Promise.all(
      ids.map((id, i) =>
        record({ reservationId: i, verdicts: [verdict(id, 'applied')], entries: [entry(1)] }),
      ),
    );
    expect((await rows()).every(({ verdict }) => verdict === 'applied')).toBe(true);
    for (const id of [0, 15, 29]) {
      expect((await createTimeline(database.db).read(id, { limit: 10 })).items).toHaveLength(1);
    }
  });

  it('marks and verdicts of the same events, in whatever order, never deadlock', async () => {
    // so many that either statement finds its rows by their index, in the order in which it asks
    await database.db.execute(sql`
      insert into inbox (identity, event_id, channel, path, reservation_id, received_at, headers, raw, content_hash)
      select 'webhook-id', 'many_' || i, 'status', '/x', i, now(), '{}', decode(repeat('ab', 400), 'hex'), i
      from generate_series(1, 5000) i`);
    await database.db.execute(sql`analyze inbox`);
    const all = (
      await database.db.select({ id: inbox.id }).from(inbox).orderBy(asc(inbox.id)).limit(2_000)
    ).map(({ id }) => id);
    const mark = (ids: number[]) =>
      markSent(
        database.db,
        ids.map((id) => ({ id, replays: 0 })),
        1_000,
      );
    const judge = (ids: number[]) =>
      writeTogether(database.db, [
        { reservationId: 1, verdicts: ids.map((id) => verdict(id, 'applied')), entries: [] },
      ]);
    for (let from = 0; from < all.length; from += 200) {
      const some = all.slice(from, from + 200);
      const reversed = some.toReversed();
      await Promise.all([
        ...[some, reversed, some, reversed].map(mark),
        ...[some.slice(0, 100), reversed.slice(0, 150)].map(judge),
      ]);
    }
    const judged = await database.db.select({ id: inbox.id }).from(inbox).where(eq(inbox.state, 'done'));
    expect(judged).toHaveLength(all.length);
  });

  it('a step without entries or verdicts writes nothing', async () => {
    await createRecorder(database.db)({ reservationId: 1, verdicts: [], entries: [] });
    expect((await createTimeline(database.db).read(1, { limit: 10 })).items).toEqual([]);
  });

  it('the list of events is filtered and paged, the newest first, without bodies', async () => {
    const [a = 0, b = 0, c = 0] = await store(3);
    const [d = 0] = await store(1, null);
    await createRecorder(database.db)({ reservationId: 1, verdicts: [verdict(b, 'stale')], entries: [] });
    const ids = async (filter: Partial<Parameters<typeof listInbox>[1]>) =>
      (await listInbox(database.db, { limit: 10, ...filter })).items.map(({ id }) => id);
    expect(await ids({})).toEqual([d, c, b, a]);
    expect(await ids({ reservationId: 1 })).toEqual([c, b, a]);
    expect(await ids({ verdict: 'stale' })).toEqual([b]);
    expect(await ids({ channel: 'status' })).toEqual([d, b]);
    const first = await listInbox(database.db, { limit: 3 });
    expect(first.items.map(({ id }) => id)).toEqual([d, c, b]);
    expect(await ids({ cursor: first.nextCursor ?? '' })).toEqual([a]);
    expect((await listInbox(database.db, { limit: 4 })).nextCursor).toBeNull();
    expect(JSON.stringify(first)).not.toContain('driver');
    for (const cursor of ["1' or 1=1", '-1', '', '9999999999999999']) {
      await expect(ids({ cursor })).rejects.toBeInstanceOf(CursorError);
      const story = createTimeline(database.db).read(1, { cursor, limit: 1 });
      await expect(story).rejects.toBeInstanceOf(CursorError);
    }
  });

  it('a long timeline is paged in its order', async () => {
    const entries = Array.from({ length: 5 }, (_, i) => entry(i + 1));
    await createRecorder(database.db)({ reservationId: 1, verdicts: [], entries });
    const first = await createTimeline(database.db).read(1, { limit: 3 });
    const second = await createTimeline(database.db).read(1, { limit: 3, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items]).toEqual(entries);
    expect(second.nextCursor).toBeNull();
  });
});
