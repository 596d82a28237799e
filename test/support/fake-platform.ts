import type { Activities, CommandAttempt } from '../../src/contract/activities.js';
import type { ActionAttempt, BookingAttempt } from '../../src/contract/attempt.js';
import type { CommandAudit } from '../../src/contract/audit.js';
import type { AttentionEntries, CaseFile, Recorded, RecordInput } from '../../src/contract/reservation.js';
import type { Role, Suspension } from '../../src/contract/role.js';
import type {
  ActionOperation,
  LookAheadAnswer,
  LookAheadRequest,
} from '../../src/domain/reservation/index.js';
import { deferred } from '../../src/domain/shared/deferred.js';
import { FakeBookings } from './fake-bookings.js';
import { FakeCars } from './fake-cars.js';
import { FakeSchedule } from './fake-schedule.js';

/** What the worker's activities did, and what the next platform calls will answer. */
export class FakePlatform {
  /** Where its worker runs workflows; set by the code that makes that worker. */
  queue = 'no-queue';
  readonly attempts: { activity: ActionOperation; attempt: CommandAttempt }[] = [];
  readonly records: RecordInput[] = [];
  /** The changes of attention items that operations received, where `answerToRecord` asks for them. */
  readonly posts: AttentionEntries[] = [];
  answerToRecord: Recorded | undefined = undefined;
  /** Attempts that reported a refused key. */
  readonly suspensions: (Suspension & { role: Role })[] = [];
  readonly caseFiles: CaseFile[] = [];
  readonly looks: LookAheadRequest[] = [];
  /** What the platform's schedule answers to a look ahead. */
  schedule: (request: LookAheadRequest) => LookAheadAnswer | Promise<LookAheadAnswer> = () => ({
    kind: 'seen',
    next: null,
    candidates: null,
  });
  /** Answers for the next attempts; after them every attempt is accepted. */
  readonly answers: (ActionAttempt | (() => Promise<ActionAttempt>))[] = [];
  /** The next attempt has its answer once the function that this returns is called. */
  holdAnswer(): () => void {
    const { promise, resolve } = deferred();
    this.answers.push(async () => {
      await promise;
      return { kind: 'accepted' };
    });
    return resolve;
  }
  /** Answers for the next bookings; after them the outcome is unknown. */
  readonly bookings: BookingAttempt[] = [];

  /** Cars' memos and sale statuses as the platform has them. */
  readonly cars = new FakeCars();
  /** Cars' schedules, and the rows of holds. */
  readonly schedules = new FakeSchedule();
  /** What was stored of bookings, and what lost ones were found as. */
  readonly bookingStore = new FakeBookings();
  readonly audits: CommandAudit[] = [];

  /** What the queue of long scans does, where a test needs it. */
  scanActivities(): object | undefined {
    return undefined;
  }

  activities(): Activities {
    const command = (activity: ActionOperation) => async (attempt: CommandAttempt) => {
      this.attempts.push({ activity, attempt });
      const next = this.answers.shift() ?? { kind: 'accepted' };
      return typeof next === 'function' ? next() : next;
    };
    return {
      dispatchStaff: command('dispatchStaff'),
      dispatchStart: command('dispatchStart'),
      dispatchParkingImage: command('dispatchParkingImage'),
      dispatchCarImage: command('dispatchCarImage'),
      dispatchComplete: command('dispatchComplete'),
      recallStaff: command('recallStaff'),
      recallCarImage: command('recallCarImage'),
      recallComplete: command('recallComplete'),
      ...this.cars.activities(),
      ...this.bookingStore.activities(),
      ...this.schedules.activities(),
      lookAhead: async (request) => {
        this.looks.push(request);
        return this.schedule(request);
      },
      book: async (start, { createdAt } = {}) => {
        const attempt = this.bookings.shift() ?? { outcome: 'unknown', code: 'TIMEOUT' };
        return createdAt === undefined ? attempt : this.bookingStore.record(start, attempt);
      },
      probeRole: async () => ({ kind: 'works' }),
      suspendRole: async (suspension) => {
        this.suspensions.push(suspension);
      },
      raiseAlert: async () => {},
      clearAlert: async () => false,
      restoreReservations: async () => {},
      record: async (input) => {
        this.records.push(input);
        return this.answerToRecord;
      },
      postAttention: async (lines) => {
        this.posts.push(lines);
      },
      audit: async (entry) => {
        this.audits.push(entry);
      },
      closeCase: async (file) => {
        this.caseFiles.push(file);
      },
    };
  }
}
