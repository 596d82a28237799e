import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { within } from '../../store/connection/within.js';
import type { BlobPlace } from '../../store/photos/blob-place.js';
import { openPlace } from '../../store/photos/place.js';
import { createCheck, type Finding } from './finding.js';

const check = createCheck('photos', 'BLOB_URL');
const little = 1024 ** 3;
const withinMs = 15_000;

/** Checks the place of photos: that a folder can be written, or that a bucket answers. Writes nothing. */
export async function checkPhotos(at: BlobPlace): Promise<Finding> {
  return at.kind === 'folder' ? checkFolder(at.path) : checkBucket(at);
}

async function checkFolder(path: string): Promise<Finding> {
  const there = await stat(path).catch(() => undefined);
  if (there === undefined) return check.ok(`the folder ${path} is made with the first photo`);
  if (!there.isDirectory()) return check.fail(`${path} is no folder`, { todo: 'choose another BLOB_URL' });
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return check.fail(`the folder ${path} cannot be written`, { todo: 'fix its permissions' });
  }
  const { bavail, bsize } = await statfs(path);
  const gigabytes = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB free`;
  if (bavail * bsize < little)
    return check.warn(`the folder ${path}, ${gigabytes}`, { todo: 'free disk space' });
  return check.ok(`the folder ${path}, ${gigabytes}`);
}

async function checkBucket(at: Extract<BlobPlace, { kind: 's3' }>): Promise<Finding> {
  const name = `s3://${at.bucket}`;
  try {
    const { disk, prefix } = await openPlace(at);
    await within(withinMs, disk.exists(`${prefix}handover-doctor`));
    return check.ok(`${name} answers, with the credentials of this environment`);
  } catch (error) {
    const cause = (error as { cause?: { name?: string } }).cause;
    return check.fail(`${name} cannot be read (${cause?.name ?? (error as Error).name})`, {
      todo: "check region, credentials and the bucket's policy (s3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject)",
    });
  }
}
