import { rm } from 'node:fs/promises';
import { createLogger } from '../../../src/app/log.js';
import * as lifecycle from '../../../src/domain/reservation/index.js';
import type { CallbackKind } from '../../../src/platform/model.js';
import { defaultProfile } from '../../../src/platform/profiles/default/index.js';
import { generateTraffic } from '../../../src/sandbox/traffic/generate.js';
import { type Random, randomOf } from '../../../src/sandbox/traffic/random.js';
import { asEvent, wire } from '../callbacks.js';
import { policy } from '../reservation-story.js';
import { copyOfTemplate } from '../sandbox-template.js';

/** A callback on its way. */
export interface Delivery {
  webhookId: string;
  kind: CallbackKind;
  path: string;
  reservationId: number;
  body: string;
}

/** Ids beyond those that a sandbox gives. */
const idsFrom = 1_000_000;

/** What the sandbox's traffic is generated from. */
interface TrafficSize {
  days: number;
  cars: number;
}

/** A callback of the sandbox's traffic, as the generator writes it. */
interface Line {
  at: string;
  kind: CallbackKind;
  path: string;
  webhookId: string;
  body: { reservationId: number };
}

/**
 * The first `count` callbacks of the sandbox's traffic of this seed, as if it ended a day ago, one in five out of its place
 * and one in eight sent twice.
 */
export async function deliveriesOf(seed: number, count: number): Promise<Delivery[]> {
  // 80 cars have more than 20 a day, and more than 1,780 in a month; each day takes 0.4 s of CPU
  const days = Math.min(30, Math.ceil(count / 20));
  const cars = 80 * Math.ceil(count / 1_780);
  const lines = (await traffic(seed, { days, cars })).slice(0, count);
  if (lines.length < count) throw new Error(`the traffic has ${lines.length} callbacks, not ${count}`);
  return disordered(endedADayAgo(lines), randomOf('deliveries', seed));
}

/** All callbacks of the sandbox's traffic of this seed, as if it ended a day ago, each once and in its place. */
export async function orderlyDeliveriesOf(seed: number, size: TrafficSize): Promise<Delivery[]> {
  return endedADayAgo(await traffic(seed, size));
}

/** One in five out of its place, and one in eight twice. */
export function disordered(deliveries: readonly Delivery[], random: Random): Delivery[] {
  const placed = deliveries.flatMap((delivery, index) => {
    const place = index + (random.chance(0.2) ? random.unit() * 30 : 0);
    const again = { place: place + 1 + random.unit() * 30, delivery };
    return random.chance(0.125) ? [{ place, delivery }, again] : [{ place, delivery }];
  });
  return placed.sort((a, b) => a.place - b.place).map(({ delivery }) => delivery);
}

async function traffic(seed: number, size: TrafficSize): Promise<Line[]> {
  const folder = await copyOfTemplate();
  let text = '';
  const write = async (lines: string) => {
    text += lines;
  };
  const logger = createLogger('error');
  try {
    await generateTraffic({ ...size, seed, folder, profile: defaultProfile, logger, write });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function endedADayAgo(lines: readonly Line[]): Delivery[] {
  const laterBy = Date.now() - 24 * 3_600_000 - Date.parse(lines.at(-1)?.at ?? '');
  return lines.map(({ webhookId, kind, path, body }) => ({
    webhookId,
    kind,
    path,
    reservationId: idsFrom + body.reservationId,
    body: moved({ ...body, reservationId: idsFrom + body.reservationId }, laterBy),
  }));
}

/** The body with all its moments later by the same. */
function moved(body: object, laterBy: number): string {
  const moment = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0900/g;
  const later = (text: string) =>
    new Date(Date.parse(text) + laterBy + 9 * 3_600_000).toISOString().replace('Z', '+0900');
  return JSON.stringify(body).replace(moment, later);
}

/** What crashes must not change of a reservation. When something was believed, and by which row, they do. */
export function factsOf(view: lifecycle.ReservationView) {
  const { registered, display, company, service, productId, createdAt, pickup, driver, companion } = view;
  const { status, period, car, parking, driving } = view;
  return {
    registered,
    display,
    company,
    service,
    productId,
    createdAt,
    pickup,
    driver,
    companion,
    parking,
    driving,
    status: { code: status.code, grade: status.grade },
    period: period && { start: period.start, end: period.end, changes: period.changes },
    car: car && { id: car.id, number: car.number, changes: car.changes },
  };
}
type Facts = ReturnType<typeof factsOf>;

/** What an undisturbed run gives: the lifecycle's functions, fed with each callback once, as they first arrive. */
export function undisturbed(deliveries: readonly Delivery[]): {
  facts: Map<number, Facts>;
  verdicts: Map<string, lifecycle.Verdict>;
} {
  const states = new Map<number, lifecycle.ReservationState>();
  const verdicts = new Map<string, lifecycle.Verdict>();
  const receivedAt = Date.now();
  for (const { webhookId, kind, reservationId, body } of deliveries) {
    if (verdicts.has(webhookId)) continue;
    const row = {
      identity: 'webhook-id',
      eventId: webhookId,
      channel: kind,
      receivedAt,
      replays: 0,
    } as const;
    const event = asEvent(wire, { ...row, id: verdicts.size + 1, raw: Buffer.from(body) });
    if (event === null) throw new Error(`the profile cannot read ${body}`);
    const before = states.get(reservationId) ?? lifecycle.newReservation(reservationId, policy, receivedAt);
    const { state, verdict } = lifecycle.observe(before, event, receivedAt);
    states.set(reservationId, state);
    verdicts.set(webhookId, verdict.verdict);
  }
  const facts = new Map([...states].map(([id, state]) => [id, factsOf(lifecycle.view(state, receivedAt))]));
  return { facts, verdicts };
}
