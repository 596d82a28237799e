import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { residentMb } from '../cpu.js';
import type { Place } from '../place.js';
import { startProduct } from '../product.js';
import { type Drained, outage } from './drain.js';
import { type Loaded, send } from './load.js';
import type { IntakeOptions } from './options.js';
import { type Verified, verifyEachId } from './verify.js';
import { timeToVisible } from './visible.js';

const rates = [100, 500, 1000];
/** Callbacks between two measurements of the memory. */
const flatStep = 20_000;
const visibleRate = { perSecond: 5, count: 100 };

export interface Point extends Omit<Loaded, 'notAccepted'> {
  /** Null: as fast as possible. */
  perSecond: number | null;
  residentMb: number | null;
}

export interface SideFigures {
  visible: Awaited<ReturnType<typeof timeToVisible>>;
  drained: Drained | null;
  points: Point[];
  /** Resident MB after each 20,000 callbacks. */
  flat: { events: number; residentMb: (number | null)[]; acceptedPerSecond: number } | null;
  ids: Verified;
}

/** Measures the whole product on one database: first the figures that need an empty inbox, then those that fill it. */
export async function measureSide(
  options: IntakeOptions,
  place: Place,
  print: (line: string) => void,
): Promise<SideFigures> {
  const { folder, databaseUrl, isApart } = place;
  await mkdir(folder, { recursive: true });
  const target = await startProduct({
    folder,
    callbackUrl: 'http://127.0.0.1:9',
    cpuProf: options.cpuProf,
    isApart,
    env: databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
  });
  const { connections } = options;
  const { program } = target.processes;
  const loads: { prefix: string; loaded: Loaded }[] = [];
  let firstReservation = 40_000_000;
  const load = async (prefix: string, count: number, perSecond: number | null): Promise<Point> => {
    const loaded = await send(
      { url: target.receiverUrl, prefix, firstReservation, count, connections, perSecond },
      folder,
    );
    firstReservation += count;
    loads.push({ prefix, loaded });
    const { notAccepted: _, ...figures } = loaded;
    const point = { ...figures, perSecond, residentMb: await residentMb(program) };
    print(lineOf(point));
    return point;
  };
  try {
    const visible = await timeToVisible(target, { ...visibleRate, firstReservation: 20_000_000 });
    print(`  visible after ${visible.p50} / ${visible.p99} ms (p50 / p99) at ${visible.perSecond} events/s`);
    let drained: Drained | null = null;
    if (options.drain > 0) {
      const result = await outage(target, { events: options.drain, connections, folder });
      loads.push(result);
      drained = result.drained;
      print(
        `  outage: ${drained.events} events waited, drained in ${drained.seconds} s: ${drained.eventsPerSecond}/s`,
      );
    }
    const points: Point[] = [];
    for (const rate of rates) points.push(await load(`rate-${rate}`, rate * options.seconds, rate));
    points.push(await load('saturation', options.saturation, null));
    const flat = options.flat > 0 ? await watchMemory(options.flat, load) : null;
    await target.stop();
    const ids = await verifyEachId({ url: databaseUrl, folder: join(folder, 'data', 'db') }, loads);
    print(`  of ${ids.acknowledged} acknowledged ids ${ids.missing} are missing, ${ids.twice} twice`);
    return { visible, drained, points, flat, ids };
  } finally {
    await target.stop();
  }
}

async function watchMemory(
  events: number,
  load: (prefix: string, count: number, perSecond: null) => Promise<Point>,
): Promise<SideFigures['flat']> {
  const points: Point[] = [];
  for (let sent = 0; sent < events; sent += flatStep) {
    points.push(await load(`flat-${sent}`, Math.min(flatStep, events - sent), null));
  }
  const accepted = points.reduce((sum, point) => sum + point.accepted, 0);
  const seconds = points.reduce((sum, point) => sum + point.seconds, 0);
  return {
    events: accepted,
    residentMb: points.map((point) => point.residentMb),
    acceptedPerSecond: Math.round(accepted / seconds),
  };
}

/** One row of the table. */
export function lineOf({
  perSecond,
  acceptedPerSecond,
  acknowledgedMs,
  residentMb,
  statuses,
}: Point): string {
  const { p50, p99, max } = acknowledgedMs;
  const others = Object.entries(statuses).filter(([status]) => status !== '204');
  const cells = [
    perSecond === null ? 'saturation' : `${perSecond}/s`,
    `${acceptedPerSecond}/s`,
    `${p50} / ${p99} / ${max} ms`,
    residentMb === null ? '' : `${residentMb} MB`,
    others.map(([status, count]) => `${count} x ${status}`).join(', '),
  ];
  return `  ${cells.map((cell, index) => cell.padEnd([12, 12, 28, 10, 0][index] ?? 0)).join('')}`;
}
