import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import { createPhotoUses } from '../../src/store/erasure/photo-uses.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { openBlobStore } from '../../src/store/photos/store.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { endedReservations } from '../../src/store/schema.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { fullView } from '../support/api.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';
import { storeOpen } from '../support/open-rows.js';

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1_000, 7)]);
const hash = createHash('sha256').update(jpeg).digest('hex');
const sealer = createSealer([publicTestKey]);

onOneDatabase('L60: a photo that an earlier release stored once for several reservations', (lane) => {
  let database: HandoverDatabase;
  let path: string;
  beforeAll(async () => {
    database = await lane.open();
    path = await mkdtemp(join(tmpdir(), 'handover-blobs-'));
  });
  afterAll(async () => {
    await database?.close();
    await rm(path, { recursive: true, force: true });
  });

  const viewWithPhoto = (id: number): ReservationView => {
    const view = fullView(id);
    const { carImage } = view.dispatch;
    return { ...view, dispatch: { ...view.dispatch, carImage: carImage && { ...carImage, hash } } };
  };
  async function close(id: number) {
    const facts = { status: 35, carId: 1, companyId: 11, period: null, attention: [] };
    await createCaseFiles(database.db, sealer, [publicTestKey]).close({
      reservationId: id,
      closedAt: 1_000,
      facts,
      view: { ...viewWithPhoto(id), closed: true },
    });
  }
  /** As 0.3.0: without data keys. */
  const plainStore = async () => {
    const store = await openBlobStore({ kind: 'folder', path });
    const { retain } = await store.putPhoto(Readable.from([jpeg]), 10_000, {
      reservationId: 1,
      commandId: 'p',
    });
    await retain();
    return store;
  };
  const usesOf = (
    viewOf: (id: number) => ReservationView | undefined = () => undefined,
    endedView = viewOf,
  ) =>
    createPhotoUses({
      db: database.db,
      sealer,
      viewOf: async (id) => viewOf(id),
      viewOfEnded: async (id) => endedView(id),
    });

  it('is deleted with the last of two closed reservations', async () => {
    const store = await plainStore();
    await Promise.all([close(1), close(2)]);
    const { useElsewhere: useOf } = usesOf();
    const isUsed = async (one: string, id: number) => (await useOf(one, id)) !== 'unused';
    expect(await store.deletePhotos(1, [hash], (one) => isUsed(one, 1))).toBe(0);
    expect(Buffer.from(await store.readPhoto(hash, 2)).equals(jpeg)).toBe(true);
    expect(await store.deletePhotos(2, [hash], (one) => isUsed(one, 2))).toBe(1);
    await expect(store.readPhoto(hash, 2)).rejects.toThrow('no photo');
  });

  it('stays with a reservation whose erasure failed', async () => {
    const store = await plainStore();
    await Promise.all([close(1), close(2)]);
    const { useElsewhere, useAgain } = usesOf();
    expect(await useElsewhere(hash, 1)).toBe('used');
    useAgain(1);
    const isUsed = async (one: string) => (await useElsewhere(one, 2)) !== 'unused';
    expect(await store.deletePhotos(2, [hash], isUsed)).toBe(0);
    expect(Buffer.from(await store.readPhoto(hash, 1)).equals(jpeg)).toBe(true);
  });

  it('stays while an open reservation has it', async () => {
    const store = await plainStore();
    await close(1);
    await database.db.execute(sql`delete from case_files where reservation_id = 2`);
    await storeOpen(database.db, { 3: {} });
    const { useElsewhere: useOf } = usesOf(viewWithPhoto);
    const isUsed = async (one: string, id: number) => (await useOf(one, id)) !== 'unused';
    expect(await store.deletePhotos(1, [hash], (one) => isUsed(one, 1))).toBe(0);
    expect(Buffer.from(await store.readPhoto(hash, 3)).equals(jpeg)).toBe(true);
  });

  it('one reservation that does not answer may have each photo; those that answer are read once a minute', async () => {
    await close(1);
    await storeOpen(database.db, { 3: {}, 4: {}, 5: {} });
    const queried: number[] = [];
    const { useElsewhere: useOf } = usesOf((id) => {
      queried.push(id);
      if (id === 3) throw new Error('no answer');
      return id === 4 ? viewWithPhoto(id) : undefined;
    });
    expect(await useOf(hash, 1)).toBe('used');
    expect(await useOf('another', 1)).toEqual({ unanswered: new Error('no answer') });
    expect(queried.sort()).toEqual([3, 4, 5]);
  });

  it('one that was ended in Temporal and answers no query withholds no photo of others', async () => {
    await database.db.execute(sql`delete from open_reservations`);
    await close(1);
    await database.db.insert(endedReservations).values([
      { reservationId: 6, code: 'WORKFLOW_TERMINATED', notedAt: 1 },
      { reservationId: 7, code: 'WORKFLOW_TERMINATED', notedAt: 1 },
    ]);
    const noOpenOne = () => expect.fail('none is open');
    const { useElsewhere: useOf } = usesOf(noOpenOne, (id) => (id === 7 ? viewWithPhoto(id) : undefined));
    expect(await useOf(hash, 1)).toBe('used');
    expect(await useOf('another', 1)).toBe('unused');
    await database.db.delete(endedReservations);
  });

  it('where no reservation answers, only some are queried', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [10 + n, {}]));
    await storeOpen(database.db, many);
    let queried = 0;
    const { useElsewhere: useOf } = usesOf(() => {
      queried += 1;
      throw new Error('no answer');
    });
    expect(await useOf(hash, 1)).toEqual({ unanswered: new Error('no answer') });
    expect(queried).toBeLessThan(30);
  });

  it('a read that has to stop does not serve the next one', async () => {
    const { useElsewhere: useOf } = usesOf();
    expect(await useOf(hash, 1, () => true)).toMatchObject({ unanswered: expect.anything() });
    expect(await useOf(hash, 1)).toBe('unused');
  });

  it('a read that lasted longer than a minute serves for a minute from its end', async () => {
    const clock = vi.spyOn(Date, 'now');
    const began = Date.now();
    let queried = 0;
    const { useElsewhere: useOf } = usesOf(() => {
      queried += 1;
      clock.mockReturnValue(began + 120_000);
      return undefined;
    });
    await useOf(hash, 1);
    const first = queried;
    expect(first).toBeGreaterThan(0);
    await useOf(hash, 1);
    expect(queried).toBe(first);
    clock.mockReturnValue(began + 181_000);
    await useOf(hash, 1);
    expect(queried).toBeGreaterThan(first);
    clock.mockRestore();
  });
});
