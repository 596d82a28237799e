import fc from 'fast-check';
import type { ReservationEvent } from '../../src/domain/reservation/index.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { hour, minute, origin } from './reservation-story.js';

/** What the platform may do next, by the table that the sandbox moves by: tests do not ask the lifecycle. */
function next(status: number): number[] {
  const moves = Object.entries(defaultProfile.behaviour.fromStates);
  return moves.flatMap(([to, from]) => (from.includes(status) ? [Number(to)] : []));
}

type Move = 'status' | 'car' | 'extend' | 'companion' | 'memo' | 'driver' | 'drive';
interface Truth {
  status: number;
  car: number;
  end: number;
  companion: boolean;
  memo: number;
  driver: number;
  driving: number | null;
}

const statuses = ['status', 'status', 'status', 'status'] as const;

/** One history as the events it emits, in the order of emission; `changedAt` only where the profile has it. */
export const legalHistory: fc.Arbitrary<ReservationEvent[]> = fc
  .array(
    fc.tuple(
      fc.constantFrom<Move>(...statuses, 'car', 'extend', 'companion', 'memo', 'driver', 'drive'),
      fc.nat(9),
    ),
    {
      maxLength: 9,
    },
  )
  .map(emit);

const driver = { birth: '19900101', phone: '01012345678', licenseNumber: '11', address: 'Seoul' };

export function emit(moves: [Move, number][]): ReservationEvent[] {
  const truth: Truth = {
    status: 5,
    car: 1,
    end: origin + 10 * hour,
    companion: true,
    memo: 0,
    driver: 0,
    driving: null,
  };
  const events: ReservationEvent[] = [];
  const say = (parts: Omit<ReservationEvent, 'eventId' | 'inboxId' | 'receivedAt' | 'contentHash'>) => {
    const id = events.length + 1;
    events.push({
      eventId: `e${id}`,
      inboxId: id,
      receivedAt: origin + id * minute,
      contentHash: JSON.stringify(parts),
      ...parts,
    });
  };
  const whole = () => ({
    status: truth.status,
    car: { id: truth.car, number: `plate ${truth.car}` },
    period: { start: origin + hour, end: truth.end },
    companion: truth.companion ? { name: 'companion' } : null,
    pickupMemo: `memo ${truth.memo}`,
    driver: { ...driver, name: `driver ${truth.driver}` },
    ...(truth.driving !== null && { driving: { start: truth.driving } }),
    ...(truth.status >= 15 && truth.status < 40 ? { parking: { imageUrl: 'https://photos.example/1' } } : {}),
  });
  say({ channel: 'registration', ...whole() });
  moves.forEach(([move, choice], index) => {
    const changedAt = origin + index * minute;
    const ways = next(truth.status);
    if (ways.length === 0) return;
    if (move === 'status') {
      truth.status = ways[choice % 3 === 0 ? (choice / 3) % ways.length : 0] ?? truth.status;
      say({ channel: 'update', ...whole() });
      say({ channel: 'status', status: truth.status, changedAt });
      return;
    }
    if (move === 'car') {
      const previousCarId = truth.car;
      truth.car = (choice % 4) + 1;
      if (truth.car === previousCarId) return;
      say({ channel: 'car', previousCarId, car: { id: truth.car, number: `plate ${truth.car}` }, changedAt });
    }
    if (move === 'extend') truth.end += hour;
    if (move === 'companion') truth.companion = !truth.companion;
    if (move === 'memo') truth.memo = choice;
    if (move === 'driver') truth.driver = choice;
    // the customer drives off: the update reports it, before 20 or with it
    if (move === 'drive' && truth.status >= 15) truth.driving ??= origin + 2 * hour;
    say({ channel: 'update', ...whole() });
  });
  return events;
}

/** Some of the events, some of them twice (under the same id or another), in any order. */
export function delivered(events: ReservationEvent[]): fc.Arbitrary<ReservationEvent[]> {
  const again = events.map((event) => ({
    ...event,
    eventId: `${event.eventId}-again`,
    inboxId: -event.inboxId,
  }));
  return fc.shuffledSubarray([...events, ...events, ...again], { minLength: 1 });
}
