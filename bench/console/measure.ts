import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { startFloor } from '../catalogue/floor.js';
import { type AnswerFigures, requestAtRate } from '../catalogue/load.js';
import { callbackAt, eventsEach, signed } from '../intake/callbacks.js';
import { type Loaded, send } from '../intake/load.js';
import { Lifecycles } from '../lifecycle.js';
import { percentile, rounded } from '../statistics.js';
import { access } from '../target.js';
import { type ConsoleFigures, openConsoles } from './consoles.js';
import type { Deployment } from './deployment.js';
import { NowPage } from './page.js';
import { sizesOf } from './script.js';

export interface ConsoleOptions {
  open: number;
  consoles: number;
  rounds: number;
  /** Duration of each load. */
  seconds: number;
}

/** Requests a second of one API path, and callbacks a second: a machine with two cores applies them as they come. */
const requestsPerSecond = 5;
const callbacksPerSecond = 40;
const coldLoads = 8;
/** Reservations whose status changes on the screen, and those whose next step is clicked: together less than a lane shows. */
const watched = { first: 30_000_000, count: 24 };
const clicked = 12;
const betweenClicksMs = 1_000;
const paths = ['/api/board', '/api/reservations?limit=100'];

/** Milliseconds. */
export interface Spread {
  p50: number;
  p95: number;
  max: number;
}

export interface ApiFigures {
  path: string;
  product: AnswerFigures;
  floor: AnswerFigures;
}

/** Reads of the API at a fixed rate, and the same bytes from a bare handler. */
export async function measureApi(
  { apiUrl: url }: Deployment,
  { seconds }: ConsoleOptions,
  folder: string,
): Promise<ApiFigures[]> {
  const headers = { authorization: `Bearer ${access.token}` };
  const read = async (path: string) => [path, await (await fetch(url + path, { headers })).json()];
  const floor = await startFloor(folder, Object.fromEntries(await Promise.all(paths.map(read))));
  const load = (of: string, path: string, forSeconds = seconds) =>
    requestAtRate(
      { url: of, path, token: access.token, perSecond: requestsPerSecond, seconds: forSeconds },
      folder,
    );
  try {
    const figures: ApiFigures[] = [];
    for (const path of paths) {
      await load(url, path, 2);
      figures.push({ path, product: await load(url, path), floor: await load(floor.url, path) });
    }
    return figures;
  } finally {
    await floor.stop();
  }
}

export interface PageFigures {
  cold: Spread;
  rows: number;
  rowsAtEnd: number;
  pixel: Spread;
  sending: Spread;
  kilobytes: Awaited<ReturnType<typeof sizesOf>>;
}

/** What a person sees in a browser. */
export async function measurePage(target: Deployment): Promise<PageFigures> {
  const { apiUrl, receiverUrl } = target;
  const senders = new Pool(receiverUrl, { connections: 1 });
  const report = (index: number, turn: number) => post(senders, index * eventsEach + turn);
  const indices = Array.from({ length: watched.count }, (_, index) => index);
  for (const index of indices) await report(index, 0);
  const lifecycles = new Lifecycles(target, 4);
  const assigned: number[] = [];
  for (let index = 0; index < clicked; index++) assigned.push(await lifecycles.assign());
  const page = await NowPage.open(apiUrl);
  try {
    const cold = await page.coldLoads(coldLoads);
    for (const id of [...indices.map((index) => watched.first + index), ...assigned])
      await page.waitForRow(id);
    const rows = await page.rows();
    const pixel: number[] = [];
    for (const index of indices) {
      pixel.push(await page.untilStatusChanges(watched.first + index, () => report(index, 3)));
      await sleep(100);
    }
    const sending: number[] = [];
    for (const id of assigned) {
      sending.push(await page.untilSending(id));
      // a person's next click comes when the machine, which the browser shares with the product here, has done what this one asked for
      await sleep(betweenClicksMs);
    }
    const kilobytes = await sizesOf(await page.loaded());
    return {
      cold: spreadOf(cold),
      rows,
      rowsAtEnd: await page.rows(),
      pixel: spreadOf(pixel),
      sending: spreadOf(sending),
      kilobytes,
    };
  } finally {
    await page.close();
    await lifecycles.close();
    await senders.destroy();
  }
}

/** Sends one callback. @returns the time of its 204, milliseconds since the epoch */
async function post(pool: Pool, index: number): Promise<number> {
  const { path, body } = callbackAt(watched.first, index);
  const headers = signed(`console-${index}`, body);
  const answer = await pool.request({ method: 'POST', path, body, headers });
  const acknowledged = performance.timeOrigin + performance.now();
  await answer.body.dump();
  if (answer.statusCode !== 204) throw new Error(`the receiver answered ${answer.statusCode}`);
  return acknowledged;
}

export interface ConsolesFigures {
  /** Reads of visibility within the same time without consoles, and with them, while nothing happens. */
  idleVisibilityReads: { without: number; with: number };
  /**
   * Acknowledgement of callbacks, in turns: without consoles, with as many that read the board at a bare handler with the same bytes (the
   * floor: what they cost the machine, whichever server answers them), and with those that read it here.
   */
  rounds: Record<'without' | 'floor' | 'with', Loaded['acknowledgedMs']>[];
  consoles: ConsoleFigures;
}

/** What open consoles cost: nothing while idle, and little of the intake's time under load. */
export async function measureConsoles(
  target: Deployment,
  { consoles, rounds, seconds }: ConsoleOptions,
  folder: string,
): Promise<ConsolesFigures> {
  const { apiUrl: url } = target;
  const open = (boardUrl = url) => openConsoles({ url, boardUrl, token: access.token, consoles }, folder);
  const whileIdle = async () => {
    const before = await target.visibilityReads();
    await sleep(seconds * 1000);
    return (await target.visibilityReads()) - before;
  };
  const idleWithout = await whileIdle();
  const closeIdle = await open();
  const idleWith = await whileIdle();
  await closeIdle();
  let [turn, figures]: [number, ConsoleFigures] = [0, { events: 0, reads: 0, failed: 0, lost: 0 }];
  const load = async () => {
    turn += 1;
    const { acknowledgedMs } = await send(
      {
        url: target.receiverUrl,
        prefix: `consoles-${turn}`,
        firstReservation: 40_000_000 + turn * 100_000,
        count: callbacksPerSecond * seconds,
        connections: 32,
        perSecond: callbacksPerSecond,
      },
      folder,
    );
    // what the load has left is applied before the next one begins
    await sleep(2_000);
    return acknowledgedMs;
  };
  await load();
  const headers = { authorization: `Bearer ${access.token}` };
  const board = await (await fetch(`${url}/api/board`, { headers })).json();
  const floor = await startFloor(folder, { '/api/board': board });
  const measured: ConsolesFigures['rounds'] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const without = await load();
      const closeOfFloor = await open(floor.url);
      const atFloor = await load();
      await closeOfFloor();
      const close = await open();
      measured.push({ without, floor: atFloor, with: await load() });
      figures = sumOf(figures, await close());
    }
  } finally {
    await floor.stop();
  }
  return {
    idleVisibilityReads: { without: idleWithout, with: idleWith },
    rounds: measured,
    consoles: figures,
  };
}

function sumOf(a: ConsoleFigures, b: ConsoleFigures): ConsoleFigures {
  return {
    events: a.events + b.events,
    reads: a.reads + b.reads,
    failed: a.failed + b.failed,
    lost: a.lost + b.lost,
  };
}

function spreadOf(samples: readonly number[]): Spread {
  const at = (share: number) => rounded(percentile(samples, share) ?? Number.NaN, 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}
