import { setTimeout as sleep } from 'node:timers/promises';
import { ne } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  newReservation,
  observe,
  type Policy,
  type ReservationEvent,
  type ReservationState,
} from '../../src/domain/reservation/index.js';
import type { Callback } from '../../src/platform/model.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { inbox } from '../../src/store/schema.js';
import { aReservation, asEvent, pathOf, signedHeaders, wire } from './callbacks.js';
import { compared, comparedView } from './compared.js';
import { eventually } from './eventually.js';
import type { HandoverParts } from './handover-parts.js';
import { delivered, legalHistory } from './legal-histories.js';
import { inOrder } from './orders.js';

/** One history, and an order in which the platform delivers some of it, some of it twice. */
interface Delivery {
  reservationId: number;
  events: ReservationEvent[];
}

interface OrderCounts {
  deliveries: number;
  different: number;
  /** Their views carry an ambiguous or conflict mark. */
  marked: number;
  callbacks: number;
}

/** The same for the same seed. Reservation ids count on from `firstId`. */
export function sampleOf(seed: number, count: number, firstId: number): Delivery[] {
  const orders = fc.sample(legalHistory.chain(delivered), { seed, numRuns: count });
  return orders.map((events, index) => ({ reservationId: firstId + index, events }));
}

/** What the platform would send. */
function callbackOf({ reservationId }: Pick<Delivery, 'reservationId'>, event: ReservationEvent): Callback {
  const {
    channel,
    status = 5,
    car,
    period,
    companion,
    pickupMemo,
    parking,
    previousCarId,
    changedAt,
  } = event;
  const when = changedAt !== undefined && { changedAt };
  if (channel === 'status') return { kind: 'status', reservationId, reservationStatus: status, ...when };
  if (car === undefined) throw new Error('every other event of these histories names the car');
  const carFields = { carId: car.id, carNumber: car.number ?? '' };
  if (channel === 'car')
    return {
      kind: 'car',
      reservationId,
      ...carFields,
      ...(previousCarId !== undefined && { previousCarId }),
      ...when,
    };
  const reservation = aReservation(reservationId, {
    reservationStatus: status,
    ...carFields,
    ...(period && { startAt: period.start, endAt: period.end }),
    ...(companion && { companionInfo: companion }),
    ...(pickupMemo !== undefined && { pickupMemo }),
    ...(parking?.imageUrl !== undefined && { parkingImageUrl: parking.imageUrl }),
  });
  return { kind: channel, reservation };
}

const bodyOf = (delivery: Delivery, event: ReservationEvent) =>
  JSON.stringify(wire.encode(callbackOf(delivery, event)));

/** POSTs the events in their order, each acknowledged before the next is sent. */
async function post(api: string, delivery: Delivery): Promise<void> {
  for (const event of delivery.events) {
    const body = bodyOf(delivery, event);
    const { status } = await fetch(api + pathOf(event.channel), {
      method: 'POST',
      headers: signedHeaders(body, { id: `msg_${delivery.reservationId}_${event.eventId}` }),
      body,
    });
    expect(status).toBe(204);
  }
}

/** What the pure functions make of the same callbacks, delivered once each and in the order of emission. */
function inOrderState(delivery: Delivery, policy: Policy, now: number): ReservationState {
  const start = newReservation(delivery.reservationId, policy, now);
  return inOrder(delivery.events).reduce((state, event, index) => {
    const read = asEvent(wire, {
      id: index + 1,
      identity: 'webhook-id',
      eventId: event.eventId,
      channel: event.channel,
      receivedAt: now,
      replays: 0,
      raw: Buffer.from(bodyOf(delivery, event)),
    });
    if (read === null) throw new Error('a callback of the platform was not read');
    return observe(state, read, now).state;
  }, start);
}

/**
 * Delivers the sample to the receiver of a running product, `atOnce` reservations at a time, waits until every event has
 * its verdict, and holds each final view against the pure functions' in-order one.
 */
export async function holdOrders(
  { api, setting, view }: HandoverParts,
  database: HandoverDatabase,
  sample: Delivery[],
  atOnce = 20,
): Promise<OrderCounts> {
  const waiting = [...sample];
  const sender = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await post(api, next);
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  await everyEventJudged(database);
  let marked = 0;
  for (const delivery of sample) {
    const { reservationId } = delivery;
    const shown = await eventually(`reservation ${reservationId} answers`, () => view(reservationId));
    const expected = compared(inOrderState(delivery, setting.policy, Date.now()), Date.now());
    expect(comparedView(shown), `delivered as ${written(delivery)}`).toEqual(expected);
    if (shown.marks.some((mark) => /^(ambiguous|conflict)/.test(mark))) marked += 1;
  }
  return {
    deliveries: sample.length,
    different: new Set(sample.map(written)).size,
    marked,
    callbacks: sample.reduce((sum, { events }) => sum + events.length, 0),
  };
}

/** As long as it moves: a busy machine takes its time. */
async function everyEventJudged({ db }: HandoverDatabase): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  for (let idle = 0; left > 0 && idle < 300; idle++) {
    await sleep(200);
    const open = await db.$count(inbox, ne(inbox.state, 'done'));
    if (open < left) idle = 0;
    left = open;
  }
  expect(left, 'events without a verdict').toBe(0);
}

const written = ({ events }: Delivery) =>
  events.map(({ eventId, channel, status }) => `${eventId}:${channel}:${status ?? ''}`).join(' ');
