import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wasAccepted } from '../../src/app/parts/photo.js';
import { type BlobStore, openBlobStore } from '../../src/store/photos/store.js';
import { sweepUploads } from '../../src/store/photos/sweep.js';
import { ReservationEndedError } from '../../src/temporal/client/reservations/errors.js';
import { EngineUnavailableError } from '../../src/temporal/connection/unavailable.js';
import { fullView } from '../support/api.js';
import { s3Peer } from '../support/s3-peer.js';

const day = 86_400_000;
const photo = (content: number) =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(100, content)]);

interface Place {
  blobs: BlobStore;
  files(): Promise<string[]>;
  close(): Promise<void>;
}

async function inFolder(): Promise<Place> {
  const path = await mkdtemp(join(tmpdir(), 'handover-sweep-'));
  return {
    blobs: await openBlobStore({ kind: 'folder', path }),
    async files() {
      const found = await readdir(path, { recursive: true, withFileTypes: true });
      return found.filter((one) => one.isFile()).map((one) => one.name);
    },
    close: () => rm(path, { recursive: true, force: true }),
  };
}

async function inBucket(): Promise<Place> {
  const peer = await s3Peer();
  return {
    blobs: await openBlobStore({ kind: 's3', bucket: 'photos', prefix: 'rentals' }),
    files: async () => [...peer.objects.keys()].map((key) => key.split('/').at(-1) ?? ''),
    close: peer.close,
  };
}

describe.each([
  ['a folder', inFolder],
  ['a bucket', inBucket],
])('in %s', (_, open) => {
  let place: Place;
  /** Command ids that each reservation knows; an error: what asking it throws; absent: no such reservation. */
  let known: Record<number, string[] | Error>;
  beforeEach(async () => {
    place = await open();
    known = {};
  });
  afterEach(() => place.close());

  const put = (content: number, reservationId: number, commandId: string) =>
    place.blobs.putPhoto(Readable.from([photo(content)]), 1_000, { reservationId, commandId });
  const reservations = {
    async view(id: number) {
      const commands = known[id];
      if (commands instanceof Error) throw commands;
      const [command] = fullView(id).commands;
      return (
        commands &&
        fullView(id, { commands: commands.map((commandId) => ({ ...command, commandId }) as never) })
      );
    },
  };
  const sweep = (later = day + 60_000) =>
    sweepUploads({
      uploads: place.blobs.uploads,
      accepted: (upload) => wasAccepted(reservations, upload),
      now: Date.now() + later,
    });
  const isReadable = (hash: string) =>
    place.blobs.readPhoto(hash, 8421).then(
      () => true,
      () => false,
    );

  it('a photo of an action that its reservation does not know is deleted after a day, not before', async () => {
    known[1] = ['another'];
    const { photo: refused } = await put(1, 1, 'refused');
    expect(await sweep(day - 60_000)).toEqual({ deleted: 0, retained: 0 });
    expect(await isReadable(refused.hash)).toBe(true);
    expect(await sweep()).toEqual({ deleted: 1, retained: 0 });
    expect(await place.files()).toEqual([]);
  });

  it('a photo whose answer was lost stays stored where its action was accepted', async () => {
    known[1] = ['lost'];
    const { photo: lost } = await put(1, 1, 'lost');
    expect(await sweep()).toEqual({ deleted: 0, retained: 1 });
    known = { 1: [] };
    await sweep(9 * day);
    expect(await place.files()).toEqual([lost.hash]);
    expect(Buffer.from(await place.blobs.readPhoto(lost.hash, 1)).equals(photo(1))).toBe(true);
  });

  it.each([
    ['the refused upload came first', [2, 1]],
    ['the accepted upload came first', [1, 2]],
  ])('a photo of two reservations, of which one refused it, stays stored: %s', async (_order, order) => {
    known = { 1: ['mine'], 2: [] };
    for (const id of order) {
      const { photo: shared, retain } = await put(1, id, 'mine');
      if (id === 1) await retain();
      expect(await isReadable(shared.hash)).toBe(true);
    }
    await sweep();
    const { photo: again } = await put(1, 2, 'refused again');
    await sweep();
    expect(await place.files()).toEqual([again.hash]);
  });

  it('an upload that was accepted is not deleted with an equal one that was refused, while both are open', async () => {
    known = { 1: ['mine'], 2: [] };
    const [mine] = [await put(1, 1, 'mine'), await put(1, 2, 'refused')];
    expect(await sweep()).toEqual({ deleted: 1, retained: 1 });
    expect(await place.files()).toEqual([mine.photo.hash]);
  });

  it('a repeated upload that was accepted although the first was refused stays stored, also where both were under way at once', async () => {
    known[1] = [];
    const first = await put(1, 1, 'repeated');
    const second = await put(1, 1, 'repeated');
    await second.retain();
    expect(await isReadable(first.photo.hash)).toBe(true);
    await sweep();
    known[1] = ['repeated'];
    const third = await put(1, 1, 'repeated');
    await third.retain();
    await sweep();
    expect(await isReadable(third.photo.hash)).toBe(true);
  });

  it('a photo whose reservation does not answer now waits; one whose reservation can never answer stays stored', async () => {
    known = {
      1: new EngineUnavailableError('UNAVAILABLE'),
      2: new ReservationEndedError('WORKFLOW_TERMINATED'),
      4: Array.from({ length: 64 }, (_one, at) => `newer-${at}`),
    };
    for (const id of [1, 2, 3, 4]) await put(id, id, 'p-1');
    expect(await sweep()).toEqual({ deleted: 0, retained: 3 });
    known[1] = [];
    expect(await sweep()).toEqual({ deleted: 1, retained: 0 });
    expect(await place.files()).toHaveLength(3);
  });

  it('uploads whose reservations do not answer do not delay the others', async () => {
    for (let id = 1; id <= 6; id++) {
      known[id] = id <= 4 ? new EngineUnavailableError('UNAVAILABLE') : [];
      await put(id, id, 'p-1');
    }
    const left = async () => {
      await sweep();
      return (await place.files()).length;
    };
    await expect.poll(left, { interval: 1 }).toBe(4);
  });

  it('an action always finds its photo', async () => {
    const { photo: mine, retain } = await put(1, 1, 'p-1');
    const reads = Array.from({ length: 20 }, () => isReadable(mine.hash));
    await retain();
    expect(await Promise.all(reads)).not.toContain(false);
  });
});

it('a photo of 0.2.0 is never deleted, whatever happens to a later upload of it', async () => {
  const path = await mkdtemp(join(tmpdir(), 'handover-sweep-'));
  const blobs = await openBlobStore({ kind: 'folder', path });
  const use = { reservationId: 1, commandId: 'p-1' };
  const { photo: mine, retain } = await blobs.putPhoto(Readable.from([photo(1)]), 1_000, use);
  // the place and form of 0.2.0
  await retain();
  const file = join(path, 'photos', mine.hash.slice(0, 2), mine.hash);
  await utimes(file, new Date(0), new Date(0));
  await blobs.putPhoto(Readable.from([photo(1)]), 1_000, { reservationId: 2, commandId: 'refused' });
  const accepted = async () => 'no' as const;
  await sweepUploads({ uploads: blobs.uploads, accepted, now: Date.now() + 9 * day });
  expect(Buffer.from(await blobs.readPhoto(mine.hash, 1)).equals(photo(1))).toBe(true);
  await rm(path, { recursive: true });
});
