import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { RecordInput } from '../../src/contract/reservation.js';
import type { ListRow } from '../../src/domain/reservation/index.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { listOpen } from '../../src/store/reservations/open-list.js';
import { createOpenRows } from '../../src/store/reservations/open-rows.js';
import { createRecorder, writeTogether } from '../../src/store/reservations/record.js';
import { caseFiles, openReservations, timeline } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { fullView } from '../support/api.js';
import { publicTestKey } from '../support/codec.js';
import { onEveryDatabase } from '../support/database.js';
import { openRow, openRows, rowInput } from '../support/open-rows.js';
import { origin } from '../support/reservation-story.js';

const keys = [publicTestKey];
const known = openRow();
const row = (sequence: number, changes: Partial<ListRow> = {}): ListRow => ({
  ...known,
  sequence,
  private: { carNumber: '12가3456', dispatchStaff: 'Kim', recallStaff: null, drivers: ['이 영희'] },
  ...changes,
});
const input = (shown: ListRow | undefined, reservationId = 7) => rowInput(reservationId, shown);

onEveryDatabase('what lists show', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    for (const table of [openReservations, caseFiles, timeline]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const record = (...inputs: RecordInput[]) => writeTogether(database.db, inputs, { openRows });
  const stored = () =>
    database.db.select().from(openReservations).orderBy(asc(openReservations.reservationId));
  const sequences = async () =>
    (await stored()).map(({ reservationId, sequence }) => [reservationId, sequence]);
  const close = (closedAt: number) =>
    createCaseFiles(database.db, createSealer(keys), keys).close({
      reservationId: 7,
      closedAt,
      facts: { status: 35, carId: 12, companyId: 1, period: null, attention: [] },
      view: fullView(7, { closed: true }),
    });

  it('a step stores what lists show beside its entries', async () => {
    const entry = {
      seq: 1,
      at: origin,
      kind: 'event',
      rule: 'L18',
      text: 'Registration.',
      data: {},
    } as const;
    const shown = row(origin, {
      attention: [{ kind: 'return-late', since: origin }],
      next: 'dispatch.staff',
      unknownCommands: 1,
      waitingCommands: 2,
      atRisk: true,
    });
    await createRecorder(database.db, openRows)({ ...input(shown), entries: [entry] });
    expect(await database.db.select().from(timeline)).toHaveLength(1);
    const [found] = await stored();
    expect(found).toMatchObject({
      reservationId: 7,
      sequence: origin,
      status: 5,
      grade: 'observed',
      since: origin,
      carId: 12,
      companyId: 3,
      productId: null,
      startAt: known.period?.start,
      endAt: known.period?.end,
      attention: [{ kind: 'return-late', since: origin }],
      next: 'dispatch.staff',
      unknownCommands: 1,
      waitingCommands: 2,
      atRisk: true,
    });
    const { drivers: _, ...readable } = shown.private;
    expect(openRows.open(7, found?.personal ?? Buffer.of())).toEqual(readable);
  });

  it('of two steps the later one counts, in whichever order they are written, together or apart', async () => {
    await record(input(row(2)));
    await record(input(row(1)));
    expect(await sequences()).toEqual([[7, 2]]);
    await record(input(row(4)), input(row(3)), input(row(9), 8));
    expect(await sequences()).toEqual([
      [7, 4],
      [8, 9],
    ]);
    // the same step again, or the same state as a rebuild reads it
    await record(input(row(4, { carId: 13 })));
    expect((await stored())[0]?.carId).toBe(13);
  });

  it('a step of a worker of 0.3.0 shows nothing, and a worker without the lists stores its step', async () => {
    await record(input(undefined));
    await createRecorder(database.db)(input(row(1)));
    expect(await stored()).toEqual([]);
  });

  it('L47: the closing deletes the row, and a step that arrives late does not bring it back', async () => {
    await record(input(row(origin)));
    await close(origin + 5);
    expect(await stored()).toEqual([]);
    await record(input(row(origin + 5)));
    expect(await stored()).toEqual([]);
    // news that undid the closing
    await record(input(row(origin + 6)));
    expect(await sequences()).toEqual([[7, origin + 6]]);
    await close(origin + 5);
    expect(await sequences()).toEqual([[7, origin + 6]]);
  });

  it('L60: plate and names stand nowhere in plain text; a plate and a name are found by their hashes, also under an earlier key', async () => {
    await record(
      input(row(1)),
      input(row(1, { private: { carNumber: null, dispatchStaff: null, recallStaff: null, drivers: [] } }), 8),
    );
    const text = JSON.stringify(await stored());
    for (const personal of ['12가3456', '3456', 'Kim', '영희']) expect(text).not.toContain(personal);
    const rotated = createOpenRows(createSealer(keys), [
      { id: 'new', key: Buffer.alloc(32, 1) },
      publicTestKey,
    ]);
    for (const plate of ['12가3456', ' 12가 3456', '12가3456'.normalize('NFD'), '3456']) {
      const { column, hashes } = rotated.plates(plate);
      const found = await database.db
        .select({ id: openReservations.reservationId })
        .from(openReservations)
        .where(eq(openReservations[column], hashes[1] ?? ''));
      expect(found).toEqual([{ id: 7 }]);
    }
    for (const name of ['kim', '이영희', '이 영희'.normalize('NFD')]) {
      const found = await listOpen(database.db, rotated, { person: name, limit: 10 });
      expect(found.items.map(({ reservationId }) => reservationId)).toEqual([7]);
    }
    expect(rotated.plates('3457').hashes).not.toContain((await stored())[0]?.plateEnd);
  });

  it('a row whose personal data no key opens is read without it', async () => {
    await record(input(row(1)));
    const other = createOpenRows(createSealer([{ id: 'other', key: Buffer.alloc(32, 1) }]), keys);
    const nothing = { carNumber: null, dispatchStaff: null, recallStaff: null };
    expect(other.open(7, (await stored())[0]?.personal ?? Buffer.of())).toEqual(nothing);
  });
});
