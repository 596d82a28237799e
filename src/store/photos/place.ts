import { chmod, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { PhotoRef } from '../../domain/reservation/types.js';
import { makePrivateFolder, privateFolder, syncFile, syncFolder } from '../files/durable-file.js';
import type { BlobPlace } from './blob-place.js';

/** A disk, and how a complete file is stored on it: atomically and durably, so that no reader finds half a photo. */
export interface OpenPlace {
  disk: Disk;
  prefix: string;
  /** An existing folder for files that are not complete yet. */
  staging: string;
  commit(stagedName: string, key: string, photo: PhotoRef): Promise<void>;
  /** Moves a complete file to another key; at every moment it exists under one of them. */
  move(from: string, to: string): Promise<void>;
}

/** A folder, or a bucket whose region and credentials are the AWS SDK's own. */
export async function openPlace(place: BlobPlace): Promise<OpenPlace> {
  return place.kind === 'folder' ? openFolder(place.path) : openBucket(place.bucket, place.prefix);
}

async function openFolder(path: string): Promise<OpenPlace> {
  const disk = new Disk(new FSDriver({ location: path, visibility: 'private' }));
  const staging = join(path, 'incoming');
  for (const folder of [path, staging]) {
    await makePrivateFolder(folder);
    // fails for a folder of another user, whose mode stays
    await chmod(folder, privateFolder).catch(() => undefined);
  }
  await removeLeftovers(staging);
  return {
    disk,
    prefix: '',
    staging,
    // the disk's own move copies; a rename is atomic
    commit: async (stagedName, key) => {
      const folder = dirname(join(path, key));
      await syncFile(join(staging, stagedName));
      await makePrivateFolder(folder);
      await rename(join(staging, stagedName), join(path, key));
      await syncFolder(folder);
    },
    // not synced: after a power failure it has one name or the other
    move: async (from, to) => {
      await makePrivateFolder(dirname(join(path, to)));
      await rename(join(path, from), join(path, to));
    },
  };
}

/** No upload takes an hour: an older file was left by a process that was killed. */
const leftoverAfterMs = 3_600_000;

async function removeLeftovers(staging: string): Promise<void> {
  for (const name of await readdir(staging)) {
    const file = join(staging, name);
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > leftoverAfterMs) await rm(file, { force: true });
  }
}

async function openBucket(bucket: string, prefix: string): Promise<OpenPlace> {
  // the AWS SDK is large: only a deployment that has a bucket loads it
  const { S3Driver } = await import('flydrive/drivers/s3');
  const disk = new Disk(new S3Driver({ bucket, visibility: 'private', supportsACL: false }));
  const staging = tmpdir();
  return {
    disk,
    prefix: prefix === '' ? '' : `${prefix}/`,
    staging,
    commit: (stagedName, key, { size, type }) =>
      disk.copyFromFs(join(staging, stagedName), key, { contentLength: size, contentType: type }),
    move: (from, to) => disk.move(from, to),
  };
}
