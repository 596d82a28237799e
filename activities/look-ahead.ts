import { cancellationSignal } from '@temporalio/activity';
import type { Activities } from '../src/contract/activities.js';
import { commandRole, roleSuspendedCode } from '../src/contract/role.js';
import {
  type CarEntry,
  type CarFact,
  type LookAnswer,
  type LookRequest,
  nextEntry,
} from '../src/lifecycle/index.js';
import { day, stamp } from '../src/lifecycle/time.js';
import type { CallOptions, PlatformClient } from '../src/platform/client/index.js';
import type { CarSchedules, Schedule } from '../src/platform/model.js';
import type { ScheduleFilter } from '../src/platform/profile.js';
import { attemptOf } from './attempt.js';
import { reservationOf } from './reservation-of-entry.js';
import { type RoleDeps, roleActivities } from './roles.js';

const ahead = 7 * day;
const modelsAtMost = 3;
const candidatesAtMost = 5;
/** Shorter than the activity may take. */
const withinMs = 60_000;

type Read = <T>(call: (options: CallOptions) => Promise<T>) => Promise<T>;

/** A request that was not answered ends the look. */
class Unanswered extends Error {
  constructor(readonly answer: Extract<LookAnswer, { kind: 'failed' }>) {
    super(answer.code);
  }
}

/**
 * What follows in the schedule of a car, and which cars could stand in for it (F60, F62): six requests at most, one
 * after the other, none of them repeated. Nothing personal is read.
 */
export function lookAheadActivity(platform: PlatformClient, roles: RoleDeps): Pick<Activities, 'lookAhead'> {
  const { suspendRole } = roleActivities(roles);
  return {
    async lookAhead(request) {
      const signal = AbortSignal.any([cancellationSignal(), AbortSignal.timeout(withinMs)]);
      const read: Read = async (call) => {
        const attempt = await attemptOf(roles.gate, commandRole, () => call({ as: commandRole, signal }));
        if (attempt.kind === 'done') return attempt.value;
        const { code } = attempt;
        if (attempt.kind === 'suspended' && code !== roleSuspendedCode) {
          await suspendRole({ role: commandRole, reservationId: null, code });
        }
        const { retryAfterMs } = attempt.kind === 'wait' ? attempt : {};
        throw new Unanswered({ kind: 'failed', code, ...(retryAfterMs !== undefined && { retryAfterMs }) });
      };
      try {
        const next = nextEntry(await entriesOf(platform, read, request), request.period, request.at);
        if (next === null) return { kind: 'seen', next, candidates: null };
        const candidates = await candidatesFor(platform, read, request, next);
        const reservationId =
          next.type === 'R' ? await reservationOf(roles.client, request, next) : undefined;
        return {
          kind: 'seen',
          next: { ...next, ...(reservationId !== undefined && { reservationId }) },
          candidates,
        };
      } catch (error) {
        if (error instanceof Unanswered) return error.answer;
        throw error;
      }
    },
  };
}

async function entriesOf(platform: PlatformClient, read: Read, request: LookRequest): Promise<CarEntry[]> {
  const { at, carId, period } = request;
  const carNumber = request.carNumber ?? (await read((options) => platform.getCar(carId, options))).carNumber;
  const filter = { ...days(request, at, Math.max(at + ahead, period.end)), carNumber };
  const cars = await read((options) => platform.listSchedules(filter, options));
  const own = cars.find((car) => car.carId === carId)?.schedules ?? [];
  return own.filter((entry) => !isOwnHold(entry, request)).map(asEntry);
}

/** F56: the hold that the reservation itself proposed endangers nobody. */
function isOwnHold({ scheduleType, reason }: Schedule, { reservationId }: LookRequest): boolean {
  return scheduleType === 'S' && reason.includes(`overdue-return-${reservationId}]`);
}

function asEntry({ scheduleId, scheduleType, startAt, endAt }: Schedule): CarEntry {
  return { scheduleId, type: scheduleType, start: startAt, end: endAt };
}

/** Null where the product or its cars cannot be read: what is next is known all the same. */
async function candidatesFor(
  platform: PlatformClient,
  read: Read,
  request: LookRequest,
  next: CarEntry,
): Promise<CarFact[] | null> {
  const { productId, carId } = request;
  if (productId === null) return null;
  try {
    const related = await read((options) => platform.listRelatedCars(productId, options));
    const others = related.filter((car) => car.carId !== carId && car.saleYn === 'Y');
    const models = [...new Set(others.map((car) => car.detailModelName))].slice(0, modelsAtMost);
    const found: CarFact[] = [];
    for (const detailModelName of models) {
      if (found.length >= candidatesAtMost) break;
      const filter = { ...days(request, next.start, next.end), detailModelName };
      const taken = busyIn(await read((options) => platform.listSchedules(filter, options)), next);
      const free = others.filter((car) => car.detailModelName === detailModelName && !taken.has(car.carId));
      found.push(...free.map((car) => ({ id: car.carId, number: car.carNumber })));
    }
    return found.slice(0, candidatesAtMost);
  } catch (error) {
    if (error instanceof Unanswered) return null;
    throw error;
  }
}

function busyIn(cars: readonly CarSchedules[], { start, end }: CarEntry): Set<number> {
  const overlaps = ({ startAt, endAt }: Schedule) => startAt < end && endAt > start;
  return new Set(cars.filter(({ schedules }) => schedules.some(overlaps)).map(({ carId }) => carId));
}

/** G18: whole days of the service's zone, the last one included. */
function days(
  { zoneOffsetMinutes }: LookRequest,
  from: number,
  to: number,
): Pick<ScheduleFilter, 'startDate' | 'endDate'> {
  const date = (instant: number) => stamp(instant, zoneOffsetMinutes).slice(0, 10);
  return { startDate: date(from), endDate: date(to) };
}
