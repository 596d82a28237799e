import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReservationView } from '../../src/domain/reservation/index.js';
import { createPhotoUses } from '../../src/store/erasure/photo-uses.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { openBlobStore } from '../../src/store/photos/store.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
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
    await createCaseFiles(database.db, sealer).close({
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
  const isUsedElsewhere = (openView?: (id: number) => ReservationView) =>
    createPhotoUses({ db: database.db, sealer, viewOf: async (id) => openView?.(id) });

  it('is deleted with the last of two closed reservations', async () => {
    const store = await plainStore();
    await Promise.all([close(1), close(2)]);
    const isUsed = isUsedElsewhere();
    expect(await store.deletePhotos(1, [hash], (one) => isUsed(one, 1))).toBe(0);
    expect(Buffer.from(await store.readPhoto(hash, 2)).equals(jpeg)).toBe(true);
    expect(await store.deletePhotos(2, [hash], (one) => isUsed(one, 2))).toBe(1);
    await expect(store.readPhoto(hash, 2)).rejects.toThrow('no photo');
  });

  it('stays while an open reservation has it', async () => {
    const store = await plainStore();
    await close(1);
    await database.db.execute(sql`delete from case_files where reservation_id = 2`);
    await storeOpen(database.db, { 3: {} });
    const isUsed = isUsedElsewhere(viewWithPhoto);
    expect(await store.deletePhotos(1, [hash], (one) => isUsed(one, 1))).toBe(0);
    expect(Buffer.from(await store.readPhoto(hash, 3)).equals(jpeg)).toBe(true);
  });

  it('while a view cannot be read nothing of it is deleted', async () => {
    const store = await plainStore();
    const isUsed = isUsedElsewhere(() => {
      throw new Error('no answer');
    });
    await expect(store.deletePhotos(1, [hash], (one) => isUsed(one, 1))).rejects.toThrow('no answer');
    expect(Buffer.from(await store.readPhoto(hash, 1)).equals(jpeg)).toBe(true);
  });
});
