import type { Upload } from './store.js';
import type { UploadName } from './uploads.js';

/** Whether a reservation accepted an action: `unclear`: it may have; `silent`: the reservation gave no answer. */
export type Accepted = 'yes' | 'no' | 'unclear' | 'silent';

export interface SweepOptions {
  uploads(): Promise<Upload[]>;
  /** Whether the upload's reservation accepted the action that it was uploaded for. */
  accepted(upload: UploadName): Promise<Accepted>;
  now: number;
  isStopping?: () => boolean;
}

/** No request lasts longer: by then the reservation knows the outcome. */
const dueAfterMs = 24 * 3_600_000;
const checksPerRound = 500;
/** While Temporal is down, each check takes seconds. */
const silencesPerRound = 3;

/**
 * Deletes photos that were uploaded a day ago for an action that its reservation does not know. Photos of a known action, or
 * of one that may be known, are stored for ever. Where the reservation gives no answer, a later round decides.
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

/** Does the work. @returns 1, or 0 where another process did it at the same time */
async function countIfDone(upload: Upload, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 1;
  } catch (error) {
    if ((await upload.uploadedAt().catch(() => undefined)) === undefined) return 0;
    throw error;
  }
}

/** Rotates the list at random, so that reservations without an answer do not block the others for ever. */
function startAnywhere<T>(all: readonly T[]): T[] {
  const first = Math.floor(Math.random() * all.length);
  return [...all.slice(first), ...all.slice(0, first)];
}
