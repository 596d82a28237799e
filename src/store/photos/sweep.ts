import type { Upload } from './store.js';
import type { UploadName } from './uploads.js';

/** Whether a reservation accepted an action: `unclear` where it may have, and `silent` where it could not be asked now. */
export type Accepted = 'yes' | 'no' | 'unclear' | 'silent';

export interface SweepOptions {
  uploads(): Promise<Upload[]>;
  /** Whether the upload's reservation accepted the action that it was uploaded for. */
  accepted(upload: UploadName): Promise<Accepted>;
  now: number;
  isStopping?: () => boolean;
}

/** No request lasts that long: the reservation states its outcome. */
const dueAfterMs = 24 * 3_600_000;
const checksPerRound = 500;
/** Where Temporal is away, each question takes seconds. */
const silencesPerRound = 3;

/**
 * Deletes photos that were uploaded a day ago for an action that its reservation does not know; what it knows, or may know, is
 * stored for ever. What cannot be asked now waits for a later round.
 */
export async function sweepUploads({
  uploads,
  accepted,
  now,
  isStopping = () => false,
}: SweepOptions): Promise<{ deleted: number; retained: number }> {
  const done = { deleted: 0, retained: 0 };
  let checked = 0;
  let silences = 0;
  for (const upload of startAnywhere(await uploads())) {
    if (isStopping() || checked === checksPerRound || silences === silencesPerRound) break;
    // another process may have done it
    const at = await upload.uploadedAt().catch(() => undefined);
    if (at === undefined || now - at.getTime() < dueAfterMs) continue;
    checked++;
    const answer = await accepted(upload);
    if (answer === 'silent') silences++;
    else if (answer === 'no') done.deleted += await countIfDone(upload, () => upload.remove());
    else done.retained += await countIfDone(upload, () => upload.retain());
  }
  return done;
}

/** 1, or 0 where another process did it at the same time. */
async function countIfDone(upload: Upload, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 1;
  } catch (error) {
    if ((await upload.uploadedAt().catch(() => undefined)) === undefined) return 0;
    throw error;
  }
}

/** So that those which cannot be asked do not hold up the others for ever. */
function startAnywhere<T>(all: readonly T[]): T[] {
  const first = Math.floor(Math.random() * all.length);
  return [...all.slice(first), ...all.slice(0, first)];
}
