// npm run bench: whole lifecycles through the product; in the same run, the same messages and HTTP calls on a bare SDK
// workflow (the floor). Rounds alternate, because a machine's speed drifts: compare only figures of one run.
import { rm } from 'node:fs/promises';
import { residentMb } from './cpu.js';
import { benchFolder } from './folder.js';
import { type HistoryFigures, readHistories } from './histories.js';
import type { Played } from './lifecycle.js';
import { type BenchOptions, readOptions } from './options.js';
import { databaseServer, withDatabase } from './own-database.js';
import { checkPublishable, publish } from './publish.js';
import { type Report, type Round, toReport } from './report.js';
import { rotateSides } from './rotate-sides.js';
import { playRound, type Side } from './round.js';
import { runBench } from './run.js';
import { type Databases, startSides } from './sides.js';
import { endOnSignal, isEnding } from './signals.js';
import { footer, head, historyLines, lines } from './table.js';

/** Number of histories that are read at the end, of each side. */
const historySample = 10;
/** Lifecycles of the warm-up after which memory is read. */
const memoryAfter = 150;
/** Lifecycles played one after another at the end, for the time of an action without other load. */
const aloneSample = 10;

await runBench(async () => {
  const options = readOptions(process.argv.slice(2));
  const report = await bench(options);
  if (options.json) console.log(JSON.stringify(report, null, 2));
  if (options.publish) {
    checkPublishable(report);
    await publish(report);
  }
});

async function bench(options: BenchOptions): Promise<Report> {
  endOnSignal();
  if (!options.postgres) return measure(options, {});
  const server = databaseServer('--postgres');
  return withDatabase(server, 'product', (product) => {
    if (options.compare === undefined) return measure(options, { product });
    return withDatabase(server, 'compared', (compared) => measure(options, { product, compared }));
  });
}

async function measure(options: BenchOptions, databases: Databases): Promise<Report> {
  const show = options.json ? console.error : console.log;
  const folder = await benchFolder('main');
  const sides: Side[] = [];
  try {
    await startSides(folder, options, sides, databases);
    const { lifecycles, concurrency, postgres } = options;
    const resident = await warmUp(sides, options);
    const database = postgres ? 'Postgres' : 'the embedded database';
    show(`${lifecycles} lifecycles a round, ${concurrency} at a time, the product on ${database}`);
    show(head());
    const rounds: Round[] = [];
    const played: Record<string, Played[]> = {};
    for (let index = 1; index <= options.rounds; index++) {
      const ends = await ofEach(rotateSides(sides, index), (side) =>
        playRound(side, lifecycles, concurrency),
      );
      const round = mapOf(ends, ({ figures }) => figures);
      for (const [name, end] of Object.entries(ends)) played[name] ??= end.played.slice(0, historySample);
      rounds.push(round);
      show(lines(`round ${index}`, round));
    }
    const report = toReport(options, rounds, {
      alone: mapOf(await ofEach(sides, (side) => playRound(side, aloneSample, 1)), ({ figures }) => figures),
      residentMb: resident,
      histories: await ofEach<HistoryFigures>(sides, ({ target }) =>
        readHistories(target, played[target.name] ?? []),
      ),
    });
    show(lines('median', report.median));
    show(footer(report));
    show(historyLines(report.histories));
    await stopAll(sides);
    await rm(folder, { recursive: true, force: true });
    return report;
  } catch (error) {
    if (!isEnding()) console.error(`logs are in ${folder}`);
    await stopAll(sides);
    throw error;
  }
}

/**
 * In rounds as those that are measured: V8 discards code of a program that has been idle for minutes.
 * @returns resident memory of each program in MB, after `memoryAfter` lifecycles or fewer
 */
async function warmUp(sides: Side[], { warmUp, lifecycles, concurrency }: BenchOptions) {
  let rounds = 0;
  const playUntil = async (end: number, played = 0) => {
    while (played < end) {
      const count = Math.min(lifecycles, end - played);
      await ofEach(rotateSides(sides, ++rounds), (side) => playRound(side, count, concurrency));
      played += count;
    }
  };
  const first = Math.min(warmUp, memoryAfter);
  await playUntil(first);
  const resident = await ofEach(sides, ({ target }) => residentMb(target.processes.program));
  await playUntil(warmUp, first);
  return resident;
}

/** Runs `work` for one side after another. */
async function ofEach<T>(sides: Side[], read: (side: Side) => Promise<T>): Promise<Record<string, T>> {
  const all: Record<string, T> = {};
  for (const side of sides) all[side.target.name] = await read(side);
  return all;
}

function mapOf<T, U>(all: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, map(value)]));
}

async function stopAll(sides: Side[]): Promise<void> {
  await Promise.allSettled(sides.map((side) => side.stop()));
}
