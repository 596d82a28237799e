import { mkdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { BlobPlace } from '../config.js';
import type { PhotoRef } from '../lifecycle/types.js';

/** A disk, and how a file that is complete gets onto it: at once, so that nobody ever reads half a photo. */
export interface OpenPlace {
  disk: Disk;
  prefix: string;
  /** An existing folder for files that are not complete yet. */
  staging: string;
  commit(stagedName: string, key: string, photo: PhotoRef): Promise<void>;
}

/** A folder, or a bucket whose region and credentials are the AWS SDK's own. */
export async function openPlace(place: BlobPlace): Promise<OpenPlace> {
  return place.kind === 'folder' ? openFolder(place.path) : openBucket(place.bucket, place.prefix);
}

async function openFolder(path: string): Promise<OpenPlace> {
  const disk = new Disk(new FSDriver({ location: path, visibility: 'private' }));
  const staging = join(path, 'incoming');
  await mkdir(staging, { recursive: true });
  return {
    disk,
    prefix: '',
    staging,
    // a disk's own move copies: only a rename is there at once
    commit: async (stagedName, key) => {
      await mkdir(dirname(join(path, key)), { recursive: true });
      await rename(join(staging, stagedName), join(path, key));
    },
  };
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
  };
}
