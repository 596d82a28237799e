import { type Random, randomOf } from '../../../src/sandbox/traffic/random.js';
import { type Delivery, disordered } from './deliveries.js';

/** Those of one come within seconds then: where they wait for their workflow, they share a signal, as they do in an outage. */
const reservationsAtOnce = 20;
/** Between the ids of a reservation in one round and in the next. */
const roundOfIds = 1_000_000;

/**
 * Callbacks without an end: the given ones, again and again, in each round as events of other reservations. Some reservations at
 * a time; of each in its order but for this disorder.
 */
export function* endless(deliveries: readonly Delivery[], seed: number): Generator<Delivery, never> {
  const lives = byReservation(deliveries);
  if (lives.length === 0) throw new Error('there is nothing to repeat');
  for (let round = 0; ; round++) {
    const random = randomOf('endless', seed, round);
    for (let from = 0; from < lives.length; from += reservationsAtOnce) {
      const some = interleaved(lives.slice(from, from + reservationsAtOnce), random);
      for (const delivery of disordered(some, random)) yield ofRound(delivery, round);
    }
  }
}

function byReservation(deliveries: readonly Delivery[]): Delivery[][] {
  const lives = new Map<number, Delivery[]>();
  for (const delivery of deliveries) {
    const { reservationId } = delivery;
    lives.set(reservationId, [...(lives.get(reservationId) ?? []), delivery]);
  }
  return [...lives.values()];
}

/** All at random places, each list in its order. */
function interleaved(lists: readonly Delivery[][], random: Random): Delivery[] {
  const placed = lists.flatMap((list) => {
    const places = list.map(() => random.unit()).sort((a, b) => a - b);
    return list.map((delivery, index) => ({ delivery, place: places[index] ?? 0 }));
  });
  return placed.sort((a, b) => a.place - b.place).map(({ delivery }) => delivery);
}

function ofRound(delivery: Delivery, round: number): Delivery {
  const reservationId = delivery.reservationId + round * roundOfIds;
  const body = JSON.stringify({ ...JSON.parse(delivery.body), reservationId });
  return { ...delivery, webhookId: `${delivery.webhookId}_${round}`, reservationId, body };
}
