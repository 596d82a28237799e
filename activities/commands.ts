import { cancellationSignal } from '@temporalio/activity';
import type { RoleGate } from '../src/alerts/role-gate.js';
import type { Activities, CommandActivity, CommandAttempt } from '../src/contract/activities.js';
import { commandRole } from '../src/contract/role.js';
import type { Answer, CommandBody, PhotoRef } from '../src/lifecycle/index.js';
import type { CallOptions, CommandAnswer, PlatformClient } from '../src/platform/client/index.js';
import type { ParkingFacts, Photo, StaffAssignment } from '../src/platform/model.js';
import { answerOf } from './answer.js';
import { attemptOf } from './attempt.js';

/** Photo bytes by content hash; undefined where the store has none of that hash. */
export type ReadPhoto = (hash: string) => Promise<Uint8Array | undefined>;

type Send = (id: number, body: CommandBody, options: CallOptions) => Promise<CommandAnswer>;

/**
 * The platform's eight commands, one attempt each (specification, Reservation operations; L30). Nothing is sent while
 * their role is suspended.
 */
export function commandActivities(
  platform: PlatformClient,
  readPhoto: ReadPhoto,
  gate: Pick<RoleGate, 'isSuspended'>,
): Pick<Activities, CommandActivity> {
  const command =
    (send: Send) =>
    async ({ reservationId, body }: CommandAttempt): Promise<Answer> => {
      const call = () => send(reservationId, body, { signal: cancellationSignal() });
      return answerOf(await attemptOf(gate, commandRole, call));
    };

  const photoCommand =
    (send: (id: number, photo: Photo, body: CommandBody, options: CallOptions) => Promise<CommandAnswer>) =>
    async (attempt: CommandAttempt): Promise<Answer> => {
      const photo = await loadPhoto(attempt.body.photo, readPhoto).catch(() => photoStoreAway);
      if ('kind' in photo) return photo;
      return command((id, body, options) => send(id, photo, body, options))(attempt);
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

const photoMissing: Answer = {
  kind: 'refused',
  code: 'PHOTO_MISSING',
  message: 'the photo is no longer in the photo store; take it again',
  forState: false,
};

/** Nothing has left yet, so it is no attempt: it is tried again as when the platform is out of reach. */
const photoStoreAway: Answer = { kind: 'wait', code: 'PHOTO_STORE_UNAVAILABLE' };
/** Shorter than the attempt may take: one that times out as a whole counts as sent. */
const readWithinMs = 8_000;

async function loadPhoto(ref: PhotoRef | undefined, readPhoto: ReadPhoto): Promise<Photo | Answer> {
  const bytes = ref === undefined ? undefined : await inTime(readPhoto(ref.hash));
  return ref === undefined || bytes === undefined ? photoMissing : { bytes, type: ref.type as Photo['type'] };
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the photo store is silent')), readWithinMs);
  });
  return Promise.race([reading, tooLate]).finally(() => clearTimeout(timer));
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
