import { cancellationSignal } from '@temporalio/activity';
import type { Activities } from '../src/contract/activities.js';
import { commandRole } from '../src/contract/role.js';
import {
  type CarEntry,
  type CarFact,
  type LookAheadAnswer,
  type LookAheadRequest,
  nextEntry,
} from '../src/domain/reservation/index.js';
import { roleSuspendedCode, waitsFor } from '../src/domain/shared/outcome.js';
import { day, stamp } from '../src/domain/shared/time.js';
import type { CallOptions, PlatformClient } from '../src/platform/client/index.js';
import { knows, needed } from '../src/platform/needed.js';
import type { ScheduleFilter } from '../src/platform/profile.js';
import { reservationOf } from '../src/temporal/client/reservations/by-schedule-entry.js';
import { type RoleDeps, roleActivities } from './role.js';
import { readOnce } from './shared/attempt.js';
import { ofCar, type ReadEntry, type ReadSchedules, readGroups } from './shared/schedules.js';

const ahead = 7 * day;
const modelsAtMost = 3;
const candidatesAtMost = 5;
/** Shorter than the activity may take: it may have a refused key to report then, and a reservation to find. */
const withinMs = 50_000;

type Read = <T>(call: (options: CallOptions) => Promise<T>) => Promise<T>;

/** A request without an answer ends the reading. */
class Unanswered extends Error {
  constructor(readonly answer: Extract<LookAheadAnswer, { kind: 'failed' }>) {
    super(answer.code);
  }
}

/**
 * What follows in the schedule of a car, and which cars could replace it (F60, F62): six requests at most, one
 * after the other, none of them repeated. Nothing personal is read.
 */
export function lookAheadActivity(platform: PlatformClient, roles: RoleDeps): Pick<Activities, 'lookAhead'> {
  const { suspendRole } = roleActivities(roles);
  return {
    async lookAhead(request) {
      const signal = cancellationSignal();
      const until = Date.now() + withinMs;
      const read: Read = async (call) => {
        const ended = await readOnce(roles.gate, commandRole, () => call({ as: commandRole, signal, until }));
        if (ended.outcome === 'applied') return ended.value;
        const { code } = ended;
        if (waitsFor(code) === 'key' && code !== roleSuspendedCode) {
          await suspendRole({ role: commandRole, reservationId: null, code });
        }
        const { retryAfterMs } = ended.outcome === 'held-back' ? ended : {};
        throw new Unanswered({ kind: 'failed', code, ...(retryAfterMs !== undefined && { retryAfterMs }) });
      };
      try {
        const { entries, unread } = await entriesOf(platform, read, request);
        const next = nextEntry(entries, request.period, request.at);
        // an entry that cannot be read may be the next
        if (next === null && unread.length > 0) return { kind: 'failed', code: 'UNREADABLE' };
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

async function entriesOf(
  platform: PlatformClient,
  read: Read,
  request: LookAheadRequest,
): Promise<{ entries: CarEntry[]; unread: ReadSchedules['unread'] }> {
  const { at, carId, period } = request;
  const carNumber = request.carNumber ?? (await read((options) => carNumberOf(platform, carId, options)));
  const filter = { ...days(request, at, Math.max(at + ahead, period.end)), carNumber };
  const groups = await read((options) => platform.listSchedules(filter, options));
  const { entries, unread } = ofCar(readGroups(groups), carId);
  return { entries: entries.filter((entry) => !isOwnHold(entry, request)).map(asEntry), unread };
}

async function carNumberOf(platform: PlatformClient, carId: number, options: CallOptions): Promise<string> {
  return needed('getCar', await platform.getCar(carId, options), 'carNumber').carNumber;
}

/** F56: the hold that the reservation itself proposed puts nothing at risk. An entry whose reason is unknown may. */
function isOwnHold({ scheduleType, reason }: ReadEntry, { reservationId }: LookAheadRequest): boolean {
  return scheduleType === 'S' && reason?.includes(`overdue-return-${reservationId}]`) === true;
}

function asEntry({ scheduleId, scheduleType, startAt, endAt }: ReadEntry): CarEntry {
  return { scheduleId, type: scheduleType, start: startAt, end: endAt };
}

/**
 * Null where the product, its cars or their schedules cannot be read: the next entry is known nevertheless. A car that
 * cannot be read is left out.
 */
async function candidatesFor(
  platform: PlatformClient,
  read: Read,
  request: LookAheadRequest,
  next: CarEntry,
): Promise<CarFact[] | null> {
  const { productId, carId } = request;
  if (productId === null) return null;
  try {
    const related = await read((options) => platform.listRelatedCars(productId, options));
    const others = related
      .filter((car) => knows(car, 'carId', 'detailModelName'))
      .filter((car) => car.carId !== carId && car.saleYn === 'Y');
    const models = [...new Set(others.map((car) => car.detailModelName))].slice(0, modelsAtMost);
    const found: CarFact[] = [];
    for (const detailModelName of models) {
      if (found.length >= candidatesAtMost) break;
      const filter = { ...days(request, next.start, next.end), detailModelName };
      const groups = await read((options) => platform.listSchedules(filter, options));
      const busy = busyIn(readGroups(groups), next);
      if (busy === null) return null;
      const free = others.filter((car) => car.detailModelName === detailModelName && !busy.has(car.carId));
      found.push(...free.map((car) => ({ id: car.carId, number: car.carNumber })));
    }
    return found.slice(0, candidatesAtMost);
  } catch (error) {
    if (error instanceof Unanswered) return null;
    throw error;
  }
}

/** Cars that are, or may be, occupied in the period; null: it may be any. */
function busyIn({ entries, unread }: ReadSchedules, { start, end }: CarEntry): Set<number> | null {
  const occupied = entries.filter(({ startAt, endAt }) => startAt < end && endAt > start);
  const busy = new Set<number>();
  for (const { carId } of [...occupied, ...unread]) {
    if (carId === null) return null;
    busy.add(carId);
  }
  return busy;
}

/** G18: whole days of the service's zone, the last one included. */
function days(
  { zoneOffsetMinutes }: LookAheadRequest,
  from: number,
  to: number,
): Pick<ScheduleFilter, 'startDate' | 'endDate'> {
  const date = (instant: number) => stamp(instant, zoneOffsetMinutes).slice(0, 10);
  return { startDate: date(from), endDate: date(to) };
}
