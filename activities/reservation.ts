import type { Activities, CommandAttempt } from '../src/contract/activities.js';
import { type ActionAttempt, actionAttemptOf } from '../src/contract/attempt.js';
import { commandRole } from '../src/contract/role.js';
import type { ActionOperation, CommandBody } from '../src/domain/reservation/index.js';
import { type HeldBack, photoStoreAwayCode, type Rejected } from '../src/domain/shared/outcome.js';
import type { CallOptions, CommandAnswer, PlatformClient } from '../src/platform/client/index.js';
import type { ParkingFacts, Photo, StaffAssignment } from '../src/platform/model.js';
import { within } from '../src/store/connection/within.js';
import { type SendDeps, sendOnce } from './shared/send-once.js';
import { type ActivityTime, activityTime } from './shared/time.js';

/** Photo bytes by content hash; undefined where the store has none of that hash. */
export type ReadPhoto = (hash: string, reservationId: number) => Promise<Uint8Array | undefined>;

type Send = (id: number, body: CommandBody, options: CallOptions) => Promise<CommandAnswer>;

/**
 * The platform's eight commands, one attempt each (specification, Reservation operations; L30). Nothing is sent while
 * their role is suspended, nor what another run may have sent.
 */
export function commandActivities(
  platform: PlatformClient,
  readPhoto: ReadPhoto,
  sending: SendDeps,
): Pick<Activities, ActionOperation> {
  const sendCommand = async (
    { reservationId, body, id }: CommandAttempt,
    time: ActivityTime,
    send: Send,
  ): Promise<ActionAttempt> => {
    const call = (options: CallOptions) => send(reservationId, body, options);
    const ended = await sendOnce(sending, { role: commandRole, id, time }, call);
    if (ended.outcome !== 'applied') return actionAttemptOf(ended);
    const { reservationStatus: status, unparsed } = ended.value;
    return actionAttemptOf({
      outcome: 'applied',
      ...(status !== undefined && { status }),
      ...(unparsed === true && { unparsed }),
    });
  };
  const command = (send: Send) => (attempt: CommandAttempt) => sendCommand(attempt, activityTime(), send);

  const photoCommand =
    (send: (id: number, photo: Photo, body: CommandBody, options: CallOptions) => Promise<CommandAnswer>) =>
    async (attempt: CommandAttempt): Promise<ActionAttempt> => {
      const time = activityTime();
      const photo = await loadPhoto(attempt, readPhoto).catch(() => photoStoreAway);
      if ('outcome' in photo) return actionAttemptOf(photo);
      return sendCommand(attempt, time, (id, body, options) => send(id, photo, body, options));
    };

  return {
    dispatchStaff: command((id, body, options) => platform.dispatchStaff(id, staffOf(body), options)),
    dispatchStart: command((id, _body, options) => platform.dispatchStart(id, options)),
    dispatchParkingImage: photoCommand((id, photo, body, options) =>
      platform.dispatchParkingImage(id, photo, parkingOf(body), options),
    ),
    dispatchCarImage: photoCommand((id, photo, _body, options) =>
      platform.dispatchCarImage(id, photo, options),
    ),
    dispatchComplete: command((id, body, options) => platform.dispatchComplete(id, parkingOf(body), options)),
    recallStaff: command((id, body, options) => platform.recallStaff(id, staffOf(body), options)),
    recallCarImage: photoCommand((id, photo, _body, options) => platform.recallCarImage(id, photo, options)),
    recallComplete: command((id, _body, options) => platform.recallComplete(id, options)),
  };
}

const photoMissing: Rejected = {
  outcome: 'rejected',
  code: 'PHOTO_MISSING',
  message: 'the photo is no longer in the photo store; take it again',
};

/** Nothing has left yet, so it is no attempt: it is tried again as when the platform is out of reach. */
const photoStoreAway: HeldBack = { outcome: 'held-back', code: photoStoreAwayCode, keepsId: true };
/** Leaves enough of the activity's time for the request itself. */
const readWithinMs = 4_000;

async function loadPhoto(
  { body: { photo: ref }, reservationId }: CommandAttempt,
  readPhoto: ReadPhoto,
): Promise<Photo | Rejected> {
  const bytes =
    ref === undefined ? undefined : await within(readWithinMs, readPhoto(ref.hash, reservationId));
  return ref === undefined || bytes === undefined ? photoMissing : { bytes, type: ref.type as Photo['type'] };
}

function staffOf({ staffName = '', staffPhone = '' }: CommandBody): StaffAssignment {
  return { staffName, staffPhone };
}

function parkingOf({ parkingMemo, parkingLotType }: CommandBody): ParkingFacts {
  return {
    ...(parkingMemo !== undefined && { parkingMemo }),
    ...(parkingLotType !== undefined && { parkingLotType }),
  };
}
