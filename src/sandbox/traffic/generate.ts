import type { Logger } from 'pino';
import type { Instant } from '../../platform/model.js';
import type { WireProfile } from '../../platform/profile.js';
import { book } from '../actions/book.js';
import { moveByTime } from '../actions/time.js';
import { Refusal } from '../core/refusal.js';
import { cityOf } from '../fleet/cities.js';
import type { CallbackRow } from '../store/outbox.js';
import { type ReservationRow, readReservation } from '../store/reservations.js';
import { perform } from './acts.js';
import { arrivals, wantedPeriod } from './demand.js';
import { driver, pickupSpot } from './people.js';
import { proportions } from './proportions.js';
import { Queue } from './queue.js';
import { type Random, randomOf } from './random.js';
import { planTrip, type Step } from './trip.js';
import { openWorld } from './world.js';

/** Midnight in Seoul on a Monday: a stream does not depend on the day on which it is made. */
const beginsAt = Date.parse('2026-03-02T00:00:00+09:00');
const day = 24 * 3_600_000;
/** Events of one commit. */
const atOnce = 200;

export interface TrafficOptions {
  days: number;
  /** Up to 10,000: the fleet is a city's, with a product for about eight cars. */
  cars: number;
  seed: number;
  /** Folder of the database; its contents are deleted. */
  folder: string;
  profile: WireProfile;
  logger: Logger;
  /** Takes whole lines. */
  write(lines: string): Promise<void>;
}

export interface Tally {
  bookings: number;
  /** Bookings refused because no car was free. */
  refused: number;
  callbacks: number;
  /** How often a status was reached. */
  reached: Record<number, number>;
}

interface Trip {
  reservation: ReservationRow;
  random: Random;
  /** Still to be done, in order. */
  steps: Step[];
}

/**
 * Plays some days on the virtual clock, by the sandbox's own actions, and writes every callback as it is
 * emitted: one JSON object a line, `{ at, kind, path, webhookId, body }`. The same options give the same bytes.
 */
export async function generateTraffic(options: TrafficOptions): Promise<Tally> {
  const { days, cars, seed, profile, write } = options;
  const fleet = cityOf({ cars, products: Math.ceil(cars / 8), companies: Math.min(5, Math.ceil(cars / 8)) });
  const tally: Tally = { bookings: 0, refused: 0, callbacks: 0, reached: {} };
  const queue = new Queue<() => Promise<void>>();
  let lines = '';
  let silent = false;

  function emit(callbacks: readonly CallbackRow[]): void {
    for (const { kind, emittedAt, webhookId, payload } of callbacks) {
      const head = {
        at: new Date(emittedAt).toISOString(),
        kind,
        path: profile.callbacks.paths[kind],
        webhookId,
      };
      lines += `${JSON.stringify(head).slice(0, -1)},"body":${payload}}\n`;
      tally.callbacks++;
    }
  }

  const ids = randomOf(seed, 'ids');
  const world = await openWorld({
    ...options,
    fleet,
    beginsAt,
    ids,
    emit,
    isSilent: () => silent,
  });
  const { sandbox } = world;
  const { clock } = sandbox;

  function recordChange(trip: Trip, reservation: ReservationRow): void {
    const { status } = reservation;
    if (status !== trip.reservation.status) tally.reached[status] = (tally.reached[status] ?? 0) + 1;
    trip.reservation = reservation;
  }

  async function bookAsCustomer(random: Random): Promise<void> {
    const now = clock.now();
    const period = wantedPeriod(random, now);
    const { productId } = random.pick(fleet.products);
    const request = { productId, ...period, pickupAddress: pickupSpot(random), driver: driver(random) };
    silent = random.chance(proportions.unacknowledged);
    try {
      const { reservationId } = await book(sandbox, request);
      await beginTrip(random, reservationId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      tally.refused++;
    } finally {
      silent = false;
    }
  }

  async function beginTrip(random: Random, reservationId: number): Promise<void> {
    const reservation = await readReservation(sandbox.db, reservationId);
    if (!reservation) throw new Error('a booking left no reservation');
    tally.bookings++;
    const trip: Trip = { reservation, random, steps: [] };
    if (reservation.failAt !== null) {
      queue.push(reservation.failAt, () => letTimePass(trip));
      return;
    }
    trip.steps = planTrip(random, reservation);
    scheduleEnd(trip, reservation.endAt);
    continueTrip(trip);
  }

  function continueTrip(trip: Trip): void {
    const [next] = trip.steps;
    if (next) queue.push(next.at, () => takeStep(trip));
  }

  async function takeStep(trip: Trip): Promise<void> {
    const step = trip.steps.shift();
    if (!step) return;
    const before = trip.reservation;
    const after = await perform(world, trip.random, step.act, before);
    if (after) {
      recordChange(trip, after);
      if (after.endAt !== before.endAt) postpone(trip, after.endAt - before.endAt);
    }
    continueTrip(trip);
  }

  /** Moves the remaining steps of the trip with its end. */
  function postpone(trip: Trip, ms: number): void {
    trip.steps = trip.steps.map((step) => ({ ...step, at: step.at + ms }));
    scheduleEnd(trip, trip.reservation.endAt);
  }

  function scheduleEnd(trip: Trip, endAt: Instant): void {
    queue.push(endAt, async () => {
      if (trip.reservation.endAt === endAt && trip.reservation.status < 25) await letTimePass(trip);
    });
  }

  async function letTimePass(trip: Trip): Promise<void> {
    await moveByTime(sandbox);
    const after = await readReservation(sandbox.db, trip.reservation.reservationId);
    if (after) recordChange(trip, after);
  }

  try {
    const moments = arrivals(randomOf(seed, 'arrivals'), beginsAt, days, cars);
    for (const [index, at] of moments.sort((a, b) => a - b).entries())
      queue.push(at, () => bookAsCustomer(randomOf(seed, 'booking', index)));
    const until = beginsAt + days * day;
    let under = true;
    while (under) {
      await world.inOneCommit(async () => {
        under = await playUntil(until);
      });
      const ready = lines;
      lines = '';
      await write(ready);
    }
    return tally;
  } finally {
    await world.close();
  }

  /** Plays up to `atOnce` events. @returns whether there may be more before `until` */
  async function playUntil(until: Instant): Promise<boolean> {
    for (let n = 0; n < atOnce; n++) {
      const next = queue.pop();
      if (!next || next.at >= until) return false;
      clock.advanceTo(next.at);
      await next.item();
    }
    return true;
  }
}
