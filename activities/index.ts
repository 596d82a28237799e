import type { Activities } from '../src/contract/activities.js';
import type { CommandAudit } from '../src/contract/audit.js';
import type { AttentionEntries, CaseFile, RecordInput } from '../src/contract/reservation.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import type { Attempts } from '../src/store/attempts.js';
import { type BookingDeps, bookActivity, bookingActivities } from './booking.js';
import { carWriteActivities } from './car.js';
import { scheduleActivities } from './hold.js';
import { lookAheadActivity } from './look-ahead.js';
import { commandActivities, type ReadPhoto } from './reservation.js';
import { probeActivity, type RoleDeps, roleActivities } from './role.js';

export interface ActivityDeps {
  platform: PlatformClient;
  /** With connections of its own, so that no booking waits behind other calls. */
  bookingPlatform?: PlatformClient;
  readPhoto: ReadPhoto;
  /** Records each attempt before its request leaves. */
  attempts: Attempts;
  /** Writes verdicts, timeline entries and what lists show, in one statement. */
  record(input: RecordInput): Promise<void>;
  /** Puts posts about attention items into the outbox; absent: none are posted. */
  postAttention?(lines: AttentionEntries): Promise<void>;
  /** Writes an entry of the audit; a repeat changes nothing. */
  audit(entry: CommandAudit): Promise<void>;
  /** Called after a write on a car that the platform accepted, or may have accepted. */
  carsChanged?(): void;
  /** Writes a hold's row with its audit and alert. */
  recordHold: Activities['recordHold'];
  holdBefore: Activities['holdBefore'];
  /** Stores the case file of a closed reservation. */
  closeCase(file: CaseFile): Promise<void>;
  roles: RoleDeps;
  bookings: BookingDeps;
}

/** The activities that a worker registers. They hold nothing but the clients given here. */
export function createActivities({
  platform,
  bookingPlatform = platform,
  readPhoto,
  attempts,
  roles,
  bookings,
  record,
  postAttention,
  audit,
  carsChanged = () => {},
  recordHold,
  holdBefore,
  closeCase,
}: ActivityDeps): Activities {
  const sending = { gate: roles.gate, client: roles.client, attempts };
  return {
    ...commandActivities(platform, readPhoto, sending),
    ...carWriteActivities(platform, sending, carsChanged),
    ...scheduleActivities(platform, sending, carsChanged),
    ...roleActivities(roles),
    ...probeActivity(platform),
    ...lookAheadActivity(platform, roles),
    ...bookingActivities(bookings),
    book: bookActivity(bookingPlatform, { ...sending, bookings }),
    record: async (input) => {
      await record(input);
      return postAttention === undefined ? undefined : { posts: true };
    },
    // requested by a worker that had an outbox
    postAttention: postAttention ?? (async () => {}),
    audit,
    recordHold,
    holdBefore,
    closeCase,
  };
}
