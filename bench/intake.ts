// npm run bench:intake: how fast the whole product acknowledges, applies and drains callbacks, on each database, and two
// floors in the same run, because only figures of one run compare. At the end it searches the inbox for every
// acknowledged id.
import { mkdir, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { benchFolder } from './folder.js';
import { type FloodFigures, measureFlood } from './intake/flood.js';
import { startFloor } from './intake/floor.js';
import { send } from './intake/load.js';
import { type IntakeOptions, readIntakeOptions } from './intake/options.js';
import { lineOf, measureSide, type Point, type SideFigures } from './intake/side.js';
import { machine, machineLine } from './machine.js';
import { type ServerSettings, settingsOf, withDatabase } from './own-database.js';
import { type Database, isApart, isEmbedded } from './place.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';
import { rounded } from './statistics.js';

/** Figures of a floor at this rate, and at saturation. */
const floorRate = 500;
/** Limit of the floors' saturation load, so that the slower one does not take too long. */
const signalSaturation = 2_000;

interface Report {
  machine: { cores: number; node: string; platform: string; loadBefore: number[] };
  options: Omit<IntakeOptions, 'json' | 'cpuProf' | 'flood'>;
  postgres: ServerSettings | null;
  product: Partial<Record<Database, SideFigures>>;
  floors: Record<'bare' | 'signal', Point[]>;
  /** The product's accepted events/s at saturation over those of the floor that signals before it answers. */
  timesSignalFloor: Partial<Record<Database, number>>;
}

endOnSignal();
await runBench(async () => {
  const options = readIntakeOptions(process.argv.slice(2));
  const report = await (options.flood ? benchFlood : bench)(options);
  if (options.json) console.log(JSON.stringify(report, null, 2));
});

async function benchFlood(options: IntakeOptions): Promise<Record<string, FloodFigures[]>> {
  const print = options.json ? console.error : console.log;
  const folder = await benchFolder('flood');
  const server = process.env.HANDOVER_TEST_DATABASE_URL;
  print(machineLine());
  const figures: Record<string, FloodFigures[]> = {};
  for (const name of options.databases) {
    if (!isEmbedded(name) && server === undefined) continue;
    print(`product, ${name}`);
    const place = { folder: join(folder, name), isApart: isApart(name) };
    const measure = (databaseUrl?: string) => measureFlood(options, { ...place, databaseUrl }, print);
    figures[name] =
      !isEmbedded(name) && server !== undefined
        ? await withDatabase(server, 'flood', measure)
        : await measure();
  }
  await rm(folder, { recursive: true, force: true });
  return figures;
}

async function bench(options: IntakeOptions): Promise<Report> {
  const print = options.json ? console.error : console.log;
  const folder = await benchFolder('intake');
  const server = process.env.HANDOVER_TEST_DATABASE_URL;
  const { seconds, saturation, drain, flat, connections, databases } = options;
  const loadBefore = loadavg().map((load) => rounded(load, 2));
  print(machineLine());
  print('columns: rate, accepted, p50 / p99 / max, memory');
  const product: Report['product'] = {};
  let postgres: Report['postgres'] = null;
  for (const name of options.databases) {
    const place = { folder: join(folder, name), isApart: isApart(name) };
    const how = place.isApart ? ', callbacks apart' : '';
    if (isEmbedded(name)) {
      print(`product, PGlite${how}`);
      product[name] = await measureSide(options, place, print);
    } else if (server === undefined) {
      print('Postgres: skipped, HANDOVER_TEST_DATABASE_URL names no server');
    } else {
      postgres = await settingsOf(server);
      print(`product, Postgres ${postgres.version}, fsync ${postgres.fsync}${how}`);
      product[name] = await withDatabase(server, 'intake', (databaseUrl) =>
        measureSide(options, { ...place, databaseUrl }, print),
      );
    }
  }
  const floors = {
    bare: await measureFloor('bare', options, folder, print),
    signal: await measureFloor('signal', options, folder, print),
  };
  const floor = saturated(floors.signal);
  const timesSignalFloor: Report['timesSignalFloor'] = {};
  for (const [name, figures] of Object.entries(product) as [Database, SideFigures][]) {
    timesSignalFloor[name] = rounded(saturated(figures.points) / floor, 1);
    print(`product on ${name}: ${timesSignalFloor[name]} times the floor that signals before it answers`);
  }
  await rm(folder, { recursive: true, force: true });
  return {
    machine: { ...machine(), loadBefore },
    options: { seconds, saturation, drain, flat, connections, databases },
    postgres,
    product,
    floors,
    timesSignalFloor,
  };
}

function saturated(points: Point[]): number {
  return points.find(({ perSecond }) => perSecond === null)?.acceptedPerSecond ?? Number.NaN;
}

async function measureFloor(
  kind: 'bare' | 'signal',
  { seconds, saturation, connections }: IntakeOptions,
  parent: string,
  print: (line: string) => void,
): Promise<Point[]> {
  print(kind === 'bare' ? 'floor: answers without storing' : 'floor: signals Temporal before it answers');
  const folder = join(parent, `floor-${kind}`);
  await mkdir(folder, { recursive: true });
  const { url, stop } = await startFloor(kind, folder);
  const points: Point[] = [];
  try {
    const rate = kind === 'bare' ? floorRate : null;
    const loads: [number, number | null][] = rate === null ? [] : [[rate * seconds, rate]];
    loads.push([kind === 'bare' ? saturation : Math.min(saturation, signalSaturation), null]);
    for (const [index, [count, perSecond]] of loads.entries()) {
      const firstReservation = 1 + index * 1_000_000;
      const { notAccepted: _, ...loaded } = await send(
        { url, prefix: kind, firstReservation, count, connections, perSecond },
        folder,
      );
      const point = { ...loaded, perSecond, residentMb: null };
      points.push(point);
      print(lineOf(point));
    }
  } finally {
    await stop();
  }
  return points;
}
