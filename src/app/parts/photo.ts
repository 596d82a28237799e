import { mostStoredCommands } from '../../domain/reservation/index.js';
import { Rounds } from '../../inbox/rounds.js';
import type { BlobStore } from '../../store/photos/store.js';
import { type Accepted, sweepUploads } from '../../store/photos/sweep.js';
import { commandMark, type UploadName } from '../../store/photos/uploads.js';
import { ReservationEndedError } from '../../temporal/client/reservations/errors.js';
import type { Reservations } from '../../temporal/client/reservations/types.js';
import type { Logger } from '../log.js';
import type { Stack } from '../startup/stack.js';

const everyMs = 3_600_000;

export interface PhotoPartDeps {
  photos: BlobStore;
  reservations: Pick<Reservations, 'view'>;
  log: Logger;
}

/** Starts the sweep of photos whose action was not accepted. Several processes may sweep. */
export async function startPhotoPart(
  stack: Stack,
  { photos, reservations, log }: PhotoPartDeps,
): Promise<void> {
  const round = async (isStopping: () => boolean) => {
    const accepted = (upload: UploadName) => wasAccepted(reservations, upload);
    const swept = await sweepUploads({ uploads: photos.uploads, accepted, now: Date.now(), isStopping });
    if (swept.deleted + swept.retained > 0) log.info(swept, 'photos of actions without an outcome are swept');
  };
  await stack.start(
    'sweep of photos',
    async () => {
      const sweep = new Rounds({ name: 'the sweep of photos', log, everyMs, round });
      sweep.start();
      return sweep;
    },
    (sweep) => sweep.stop(),
  );
}

/** A reservation stores its newest commands: while it has fewer than the limit, an unknown command was not accepted. */
export async function wasAccepted(
  reservations: Pick<Reservations, 'view'>,
  { reservationId, command }: UploadName,
): Promise<Accepted> {
  try {
    const view = await reservations.view(reservationId);
    // the reservation existed when the photo was uploaded and is gone now, with its list of commands
    if (view === undefined) return 'unclear';
    if (view.commands.some(({ commandId }) => commandMark(commandId) === command)) return 'yes';
    return view.commands.length < mostStoredCommands ? 'no' : 'unclear';
  } catch (error) {
    return error instanceof ReservationEndedError ? 'unclear' : 'silent';
  }
}
