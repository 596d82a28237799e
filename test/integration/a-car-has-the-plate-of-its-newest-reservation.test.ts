import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ReservationView } from '../../src/domain/reservation/types.js';
import { createPlates } from '../../src/store/cars/plates.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { caseFiles, openReservations } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { fullView } from '../support/api.js';
import { publicTestKey } from '../support/codec.js';
import { onEveryDatabase } from '../support/database.js';
import { openRows, storeOpen } from '../support/open-rows.js';
import { origin } from '../support/reservation-story.js';

const sealer = createSealer([publicTestKey]);
const open = { dispatchStaff: null, recallStaff: null, drivers: [] };

onEveryDatabase('the plate of a car', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterEach(async () => {
    for (const table of [openReservations, caseFiles]) await database.db.delete(table);
  });
  afterAll(() => database.close());

  const close = (reservationId: number, carId: number, number: string | null, closedAt = origin) =>
    createCaseFiles(database.db, sealer, [publicTestKey]).close({
      reservationId,
      closedAt,
      facts: { status: 35, carId, companyId: 1, period: null, attention: [] },
      view: fullView(reservationId, {
        car: { ...(fullView(1).car as NonNullable<ReservationView['car']>), id: carId, number },
      }),
    });
  const plates = (carIds: number[], by = sealer) =>
    createPlates(database.db, { openRows, sealer: by })
      .of(carIds)
      .then((found) => [...found].sort(([a], [b]) => a - b));

  it('is that of an open reservation, else of the last one that was closed; no other car has one', async () => {
    await storeOpen(database.db, {
      1: { carId: 12, private: { ...open, carNumber: '12가0001' } },
      7: { carId: 13, private: { ...open, carNumber: null } },
      2: { carId: 12, sequence: 2, private: { ...open, carNumber: '12가0002' } },
    });
    await close(3, 12, '12가0003', origin + 1);
    await close(4, 13, '13가0004', origin + 1);
    await close(5, 13, '13가0005');
    await close(6, 14, null);
    expect(await plates([12, 13, 14, 15])).toEqual([
      [12, '12가0002'],
      [13, '13가0004'],
    ]);
    expect(await plates([])).toEqual([]);
  });

  it('is not known where no key of ours opens the case file', async () => {
    await close(4, 13, '13가0004');
    const other = createSealer([{ id: 'other', key: Buffer.alloc(32, 1) }]);
    expect(await plates([13], other)).toEqual([]);
  });
});
