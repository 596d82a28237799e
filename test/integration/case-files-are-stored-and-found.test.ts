import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { visible } from '../../src/api/reservations/owners.js';
import { reservation } from '../../src/api/reservations/schemas.js';
import type { CaseFile } from '../../src/contract/reservation.js';
import type { ListFacts, ReservationView } from '../../src/domain/reservation/index.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import { CursorError } from '../../src/store/cursor.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { listClosed } from '../../src/store/reservations/closed-list.js';
import type { ListFilter } from '../../src/store/reservations/list.js';
import { caseFiles } from '../../src/store/schema.js';
import { UnknownKeyError } from '../../src/store/sealing/errors.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { fullView, personal } from '../support/api.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { inEnglish } from '../support/sentences.js';

const hour = 3_600_000;
const noon = Date.UTC(2026, 10, 21, 12);

onOneDatabase('case files', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    await database.db.delete(caseFiles);
  });
  afterAll(() => database.close());

  const files = (keys = [publicTestKey]) => createCaseFiles(database.db, createSealer(keys), keys);
  const file = (
    reservationId: number,
    { closedAt = noon, facts = {}, view = {} }: Changes = {},
  ): CaseFile => ({
    reservationId,
    closedAt,
    facts: { status: 35, carId: 12, companyId: 1, period: null, attention: [], ...facts },
    view: fullView(reservationId, { closed: true, ...view }),
  });
  const idsOf = async (filter: Partial<ListFilter>) =>
    (await listClosed(database.db, { limit: 100, ...filter })).items.map(
      ({ reservationId }) => reservationId,
    );

  it('L47: a case file holds the final view; the same closing again changes nothing', async () => {
    await files().close(file(1));
    await files().close(file(1));
    expect(await files().view(1)).toEqual(fullView(1, { closed: true }));
    expect(await idsOf({})).toEqual([1]);
    expect(await files().view(2)).toBeUndefined();
  });

  it('L21: a case file holds the marks of keyed resolutions, apart from the view', async () => {
    const settledMarks = [{ key: 'settle-1', mark: 'a mark' }];
    await files().close({ ...file(1), settledMarks });
    expect(await files().decisionMarks(1)).toEqual(settledMarks);
    expect(await files().view(1)).toEqual(fullView(1, { closed: true }));
    await files().close(file(2));
    expect(await files().decisionMarks(2)).toEqual([]);
  });

  it('a case file of 0.1.0 is read in today’s form: facts that 0.1.0 did not have are absent', async () => {
    const { danger: _, proposals: __, progress: ____, recall, ...older } = fullView(3, { closed: true });
    const { note: ___, ...recalled } = recall;
    const view = { ...older, recall: recalled } as unknown as ReservationView;
    await files().close({ ...file(3), view });
    const read = await files().view(3);
    expect(read).toMatchObject({ danger: null, proposals: [], progress: null, recall: { note: null } });
    const shown = read && visible(read, inEnglish);
    expect(shown).toMatchObject({ actions: [] });
    expect(reservation.safeParse(shown).error).toBeUndefined();
  });

  it('of two closings the later one counts, in whichever order they are written', async () => {
    const [earlier, later] = [file(1), file(1, { closedAt: noon + 1, facts: { status: 40 } })];
    for (const order of [
      [earlier, later],
      [later, earlier],
    ]) {
      await database.db.delete(caseFiles);
      for (const one of order) await files().close(one);
      expect((await listClosed(database.db, { limit: 1 })).items).toMatchObject([{ status: 40 }]);
    }
  });

  it('L60: the table holds no personal data in plain text; an error names a missing key and no content', async () => {
    await files().close(file(1));
    const [row] = rowsOf<Record<string, unknown>>(await database.db.execute(sql`select * from case_files`));
    const { view, ...plain } = row ?? {};
    expect(JSON.stringify(plain)).not.toContain(personal);
    expect(Buffer.from(view as Uint8Array).includes(personal)).toBe(false);
    const other = { id: 'other-key', key: randomBytes(32) };
    await expect(files([other]).view(1)).rejects.toBeInstanceOf(UnknownKeyError);
    // rotation: the new key encrypts, the old one still opens
    await expect(files([other, publicTestKey]).view(1)).resolves.toMatchObject({ reservationId: 1 });
  });

  it('the list shows the last closed first, page by page, also where many closed at one moment', async () => {
    for (const [id, closedAt] of [
      [1, noon],
      [2, noon + 2],
      [3, noon + 1],
      [4, noon + 1],
      [5, noon + 1],
    ] as const) {
      await files().close(file(id, { closedAt }));
    }
    expect(await idsOf({})).toEqual([2, 5, 4, 3, 1]);
    const pages: number[][] = [];
    let cursor: string | undefined;
    do {
      const page = await listClosed(database.db, { limit: 2, ...(cursor !== undefined && { cursor }) });
      pages.push(page.items.map(({ reservationId }) => reservationId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toEqual([[2, 5], [4, 3], [1]]);
    expect((await listClosed(database.db, { limit: 5 })).nextCursor).toBeNull();
  });

  it('the list is filtered by status, car, attention and period', async () => {
    const period = { start: noon, end: noon + 2 * hour };
    await files().close(file(1, { facts: { period } }));
    await files().close(file(2, { facts: { carId: 13, attention: ['conflict', 'ambiguous'] } }));
    await files().close(file(3, { facts: { status: 45, carId: null } }));
    expect(await idsOf({ status: 45 })).toEqual([3]);
    expect(await idsOf({ carId: 12 })).toEqual([1]);
    expect(await idsOf({ attention: 'ambiguous' })).toEqual([2]);
    expect(await idsOf({ attention: 'any' })).toEqual([2]);
    expect(await idsOf({ status: 35, carId: 13 })).toEqual([2]);
    // [from, to) overlaps the period; one that is not known overlaps nothing
    expect(await idsOf({ from: noon + 2 * hour - 1 })).toEqual([1]);
    expect(await idsOf({ from: noon + 2 * hour })).toEqual([]);
    expect(await idsOf({ to: noon + 1 })).toEqual([1]);
    expect(await idsOf({ to: noon })).toEqual([]);
    expect((await listClosed(database.db, { carId: 12, limit: 1 })).items).toEqual([
      {
        reservationId: 1,
        status: 35,
        carId: 12,
        companyId: 1,
        period,
        attention: [],
        carNumber: null,
        next: null,
        owners: {},
        closed: true,
      },
    ]);
  });

  it.each(['', '7', 'closed', 'closed.1', 'closed.1.x', 'closed.1.9007199254740993', "closed.1.1' or 1=1"])(
    'the list refuses the cursor %j, which no page returned',
    async (cursor) => {
      await expect(listClosed(database.db, { cursor, limit: 1 })).rejects.toBeInstanceOf(CursorError);
    },
  );
});

interface Changes {
  closedAt?: number;
  facts?: Partial<ListFacts>;
  view?: Partial<ReservationView>;
}
