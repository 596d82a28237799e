import { asc, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AttentionKind } from '../../src/domain/reservation/index.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { readBoard } from '../../src/store/reservations/board.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { createClaims } from '../../src/store/reservations/claims.js';
import { listOpen } from '../../src/store/reservations/open-list.js';
import { attentionClaims, audit, caseFiles, openReservations } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { fullView } from '../support/api.js';
import { publicTestKey } from '../support/codec.js';
import { onEveryDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { openRows, storeOpen } from '../support/open-rows.js';
import { origin } from '../support/reservation-story.js';

onEveryDatabase('claims', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    for (const table of [openReservations, audit, caseFiles]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const sealer = createSealer([publicTestKey]);
  const claims = () => createClaims(database.prompt, sealer);
  const late = { reservationId: 7, kind: 'return-late' } as const;
  const byKim = { owner: 'kim', by: 'kim', from: null };
  const byLee = { owner: 'lee', by: 'lee', from: null };
  const store = (sequence: number, ...kinds: AttentionKind[]) =>
    storeOpen(database.db, { 7: { sequence, attention: kinds.map((kind) => ({ kind, since: origin })) } });
  const owners = () => claims().ownersOf(7);
  const audited = async () =>
    (await database.db.select().from(audit).orderBy(asc(audit.id))).map(({ by, action, subject, data }) => ({
      by,
      action,
      subject,
      data,
    }));

  it('a person claims an item, once; the audit has it', async () => {
    await store(1, 'return-late', 'conflict');
    expect(await claims().claim(late, byKim)).toEqual({ kind: 'done' });
    expect(await claims().claim(late, byKim)).toEqual({ kind: 'done' });
    expect(await owners()).toEqual({ 'return-late': 'kim' });
    expect(await audited()).toEqual([
      {
        by: 'kim',
        action: 'attention.claim',
        subject: 'reservation/7',
        data: { kind: 'return-late', before: null, owner: 'kim' },
      },
    ]);
  });

  it('an item of another person is taken over on purpose only', async () => {
    await store(1, 'return-late');
    await claims().claim(late, byKim);
    expect(await claims().claim(late, byLee)).toEqual({ kind: 'claimed', owner: 'kim' });
    expect(await owners()).toEqual({ 'return-late': 'kim' });
    expect(await claims().claim(late, { ...byLee, from: 'park' })).toEqual({ kind: 'claimed', owner: 'kim' });
    expect(await claims().claim(late, { ...byLee, from: 'kim' })).toEqual({ kind: 'done' });
    expect(await owners()).toEqual({ 'return-late': 'lee' });
    expect((await audited()).at(-1)?.data).toEqual({ kind: 'return-late', before: 'kim', owner: 'lee' });
  });

  it('a hand-off or a release of an item that another person has meanwhile is refused; one of any owner is not', async () => {
    await store(1, 'return-late');
    await claims().claim(late, byKim);
    const toPark = { owner: 'park', by: 'lee' };
    expect(await claims().claim(late, { ...toPark, from: 'lee' })).toEqual({ kind: 'claimed', owner: 'kim' });
    expect(await claims().release(late, { by: 'lee', from: 'lee' })).toEqual({
      kind: 'claimed',
      owner: 'kim',
    });
    expect(await owners()).toEqual({ 'return-late': 'kim' });
    expect(await claims().claim(late, toPark)).toEqual({ kind: 'done' });
    expect(await claims().release(late, { by: 'lee', from: 'park' })).toEqual({ kind: 'done' });
    // released meanwhile: nothing of another person is overwritten
    expect(await claims().claim(late, { ...toPark, from: 'kim' })).toEqual({ kind: 'done' });
  });

  it('of two persons at once one has it', async () => {
    await store(1, 'return-late');
    const answers = await Promise.all([claims().claim(late, byKim), claims().claim(late, byLee)]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['claimed', 'done']);
    expect(await audited()).toHaveLength(1);
  });

  it('a released item has no owner, and can be released again', async () => {
    await store(1, 'return-late');
    await claims().claim(late, byKim);
    expect(await claims().release(late, { by: 'lee' })).toEqual({ kind: 'done' });
    expect(await claims().release(late, { by: 'lee' })).toEqual({ kind: 'done' });
    expect(await owners()).toEqual({});
    expect((await audited()).map(({ action }) => action)).toEqual(['attention.claim', 'attention.release']);
  });

  it('what is not open has no owner', async () => {
    await store(1, 'conflict');
    expect(await claims().claim(late, byKim)).toEqual({ kind: 'no-item' });
    expect(await claims().claim({ ...late, reservationId: 8 }, byKim)).toEqual({ kind: 'no-item' });
    expect(await claims().release(late, { by: 'kim' })).toEqual({ kind: 'no-item' });
    expect(await audited()).toEqual([]);
  });

  it('a claim ends with its item, and not with another; an item that comes again has no owner', async () => {
    await store(1, 'return-late', 'conflict');
    await claims().claim(late, byKim);
    await claims().claim({ ...late, kind: 'conflict' }, byLee);
    await store(2, 'conflict');
    expect(await owners()).toEqual({ conflict: 'lee' });
    await store(3, 'return-late', 'conflict');
    expect(await owners()).toEqual({ conflict: 'lee' });
    // a step that comes late changes nothing
    await store(2);
    expect(await owners()).toEqual({ conflict: 'lee' });
  });

  // the embedded database has one connection: nothing can happen meanwhile
  it('a claim that is written while its item ends, ends with it (needs a Postgres server)', async ({
    skip,
  }) => {
    skip(database.kind === 'pglite');
    await store(1, 'return-late');
    let ended: Promise<void> | undefined;
    await database.db.transaction(async (tx) => {
      await tx.select().from(openReservations).for('no key update');
      await tx.insert(attentionClaims).values({ ...late, owner: 'kim', by: 'kim' });
      ended = store(2);
      await eventually('the end of the item waits for the claim', async () => {
        const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return rowsOf(await database.prompt.execute(waiting)).length > 0;
      });
    });
    await ended;
    expect(await owners()).toEqual({});
  });

  it('claims end with the reservation', async () => {
    await store(1, 'return-late');
    await claims().claim(late, byKim);
    await createCaseFiles(database.db, sealer, [publicTestKey]).close({
      reservationId: 7,
      closedAt: origin,
      facts: { status: 35, carId: 12, companyId: 1, period: null, attention: [] },
      view: fullView(7, { closed: true }),
    });
    expect(await database.db.select().from(attentionClaims)).toEqual([]);
  });

  it('the board and the lists show the owner', async () => {
    await store(1, 'return-late', 'conflict');
    await storeOpen(database.db, { 8: { sequence: 1, attention: [{ kind: 'conflict', since: origin }] } });
    await claims().claim(late, byKim);
    const { attention } = await readBoard(database.prompt, openRows, origin);
    const shown = attention.items.map(({ reservationId, owners }) => [reservationId, owners]);
    expect(new Map(shown as [number, object][])).toEqual(
      new Map<number, object>([
        [7, { 'return-late': 'kim' }],
        [8, {}],
      ]),
    );
    const idsOf = async (owner: string) =>
      (await listOpen(database.db, openRows, { limit: 10, owner })).items.map((one) => one.reservationId);
    expect(await idsOf('kim')).toEqual([7]);
    expect(await idsOf('lee')).toEqual([]);
  });
});
