// npm run bench -- console: the console of the whole product with 10,000 open reservations, on each database: reads of the
// API and a bare Fastify handler with the same bytes (the floor), a browser, and the acknowledgement of callbacks without open
// consoles, with as many that read the floor, and with those of the product, in alternating rounds. Compare only figures of one run.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startWithOpen } from './console/deployment.js';
import {
  type ApiFigures,
  type ConsoleOptions,
  type ConsolesFigures,
  measureApi,
  measureConsoles,
  measurePage,
  type PageFigures,
  type Spread,
} from './console/measure.js';
import { counter } from './count.js';
import { benchFolder } from './folder.js';
import { machineLine } from './machine.js';
import { withDatabase } from './own-database.js';
import { allDatabases, type Database, databasesOf, isApart, isEmbedded, type Place } from './place.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';
import { median, rounded } from './statistics.js';

const usage = `npm run bench -- console [--small] [--open 10000] [--consoles 50] [--rounds 3] [--seconds 10] [--databases ${allDatabases}]
  [--json] [--cpu-prof folder]`;

interface Options extends ConsoleOptions {
  databases: Database[];
  json: boolean;
  cpuProf: string | undefined;
}

interface Report {
  api: ApiFigures[];
  page: PageFigures;
  consoles: ConsolesFigures;
}

endOnSignal();
await runBench(() => bench(readOptions()));

/** `--small`: everything runs, within about a minute each; the figures mean little. */
function readOptions(): Options {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: {
      small: { type: 'boolean', default: false },
      open: { type: 'string' },
      consoles: { type: 'string', default: '50' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      databases: { type: 'string', default: allDatabases },
      json: { type: 'boolean', default: false },
      'cpu-prof': { type: 'string' },
    },
  });
  const { small } = values;
  const count = counter(usage);
  return {
    open: count('open', values.open ?? (small ? '500' : '10000'), 100),
    consoles: count('consoles', values.consoles, 1),
    rounds: count('rounds', values.rounds ?? (small ? '1' : '3'), 1),
    seconds: count('seconds', values.seconds ?? (small ? '4' : '10'), 1),
    databases: databasesOf(values.databases, usage),
    json: values.json,
    cpuProf: values['cpu-prof'],
  };
}

async function bench(options: Options): Promise<void> {
  const print = options.json ? console.error : console.log;
  const parent = await benchFolder('console');
  const server = process.env.HANDOVER_TEST_DATABASE_URL;
  print(machineLine());
  const reports: Record<string, Report> = {};
  for (const name of options.databases) {
    const folder = join(parent, name);
    await mkdir(folder);
    print(`${name}, ${options.open} open reservations`);
    const place = { folder, isApart: isApart(name) };
    const run = (databaseUrl?: string) => measure(options, { ...place, databaseUrl }, print);
    if (isEmbedded(name)) reports[name] = await run();
    else if (server !== undefined) reports[name] = await withDatabase(server, 'console', run);
    else print('  skipped, HANDOVER_TEST_DATABASE_URL names no server');
  }
  if (options.json) console.log(JSON.stringify(reports, null, 2));
  await rm(parent, { recursive: true, force: true });
}

async function measure(options: Options, place: Place, print: (line: string) => void): Promise<Report> {
  const target = await startWithOpen({ ...place, open: options.open, cpuProf: options.cpuProf });
  try {
    const api = await measureApi(target, options, place.folder);
    for (const { path, product, floor } of api) {
      const ratio = rounded(product.p50 / floor.p50, 1);
      const [own, bare] = [product, floor].map(({ p50, p95, p99 }) => `${p50} / ${p95} / ${p99}`);
      row(
        print,
        path,
        `${own} ms (p50 / p95 / p99), ${kb(product.bytes / 1024)}; floor ${bare} ms: ${ratio} times it`,
      );
    }
    const page = await measurePage(target);
    row(print, 'cold load until painted', spread(page.cold));
    row(print, 'rows in the page', `${page.rows}, at the end ${page.rowsAtEnd}`);
    row(print, '204 until painted', spread(page.pixel));
    row(print, 'click until "sending"', spread(page.sending));
    const { scripts, styles, first } = page.kilobytes;
    row(
      print,
      'after gzip',
      `scripts ${kb(scripts)}, styles ${kb(styles)}; of them the first screen loads ${kb(first)}`,
    );
    const consoles = await measureConsoles(target, options, place.folder);
    const { idleVisibilityReads: idle, rounds } = consoles;
    row(
      print,
      'visibility reads, idle',
      `${idle.without} without, ${idle.with} with ${options.consoles} consoles`,
    );
    for (const one of rounds) {
      row(
        print,
        'acknowledgement p50 / p99',
        `${shown(one.without)} without, ${shown(one.floor)} with consoles at the floor, ${shown(one.with)} with consoles`,
      );
    }
    const ratios = (['without', 'floor'] as const).map((to) => rounded(median(rounds.map(ratioTo(to))), 2));
    row(print, 'p99 with : without, : floor', `${ratios.join(', ')} (medians of the rounds)`);
    const { events, reads, failed, lost } = consoles.consoles;
    row(print, 'the consoles', `${events} events, ${reads} reads, ${failed} failed, ${lost} streams lost`);
    return { api, page, consoles };
  } catch (error) {
    console.error(`logs are in ${place.folder}`);
    throw error;
  } finally {
    await target.stop();
  }
}

function row(print: (line: string) => void, title: string, text: string): void {
  print(`  ${title.padEnd(30)}${text}`);
}

function kb(value: number): string {
  return `${rounded(value, 1)} KB`;
}

function spread({ p50, p95, max }: Spread): string {
  return `${p50} / ${p95} / ${max} ms (p50 / p95 / max)`;
}

function shown({ p50, p99 }: { p50: number | null; p99: number | null }): string {
  return `${p50} / ${p99} ms`;
}

function ratioTo(to: 'without' | 'floor') {
  return (round: ConsolesFigures['rounds'][number]) =>
    (round.with.p99 ?? Number.NaN) / (round[to].p99 ?? Number.NaN);
}
