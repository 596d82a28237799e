import type { Instant } from '../../platform/model.js';
import type { Behaviour } from '../../platform/profile.js';

/** What the time rules need to know of a reservation; `failAt` is null once its registration is acknowledged. */
export interface Timed {
  status: number;
  endAt: Instant;
  failAt: Instant | null;
}

export interface DueMove {
  at: Instant;
  to: 25 | 45 | 50;
}

/**
 * The next move that time alone makes, whether due yet or not: 45 or 25 when the end passes (G37), 50 when the
 * registration stays unacknowledged (G36). The earlier one wins. Null: time changes nothing here.
 */
export function nextTimedMove(behaviour: Behaviour, reservation: Timed): DueMove | null {
  const moves: DueMove[] = [];
  const add = (at: Instant, to: DueMove['to']) => {
    if (behaviour.fromStates[to].includes(reservation.status)) moves.push({ at, to });
  };
  if (reservation.failAt !== null) add(reservation.failAt, 50);
  add(reservation.endAt, 45);
  add(reservation.endAt, 25);
  return moves.reduce<DueMove | null>((first, move) => (first && first.at <= move.at ? first : move), null);
}
