// npm run bench -- catalogue: cached reads of products and cars at a fixed rate, with the whole product on a fleet of 500
// cars; in the same run, a bare Fastify handler with the same bytes (the floor). Rounds alternate, because a machine's
// speed drifts: compare only figures of one run.
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startFloor } from './catalogue/floor.js';
import { type AnswerFigures, requestAtRate } from './catalogue/load.js';
import { counter } from './count.js';
import { cpuMs } from './cpu.js';
import { benchFolder } from './folder.js';
import { machineLine } from './machine.js';
import { startProduct } from './product.js';
import { runBench } from './run.js';
import { endOnSignal } from './signals.js';
import { access } from './target.js';

const usage = 'npm run bench -- catalogue [--rate 200] [--seconds 10] [--rounds 2]';
const warmUpSeconds = 3;

endOnSignal();
await runBench(() => bench(readOptions()));

interface Options {
  rate: number;
  seconds: number;
  rounds: number;
}

function readOptions(): Options {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: {
      rate: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '2' },
    },
  });
  const count = counter(usage);
  return {
    rate: count('rate', values.rate, 1),
    seconds: count('seconds', values.seconds, 1),
    rounds: count('rounds', values.rounds, 1),
  };
}

async function bench({ rate, seconds, rounds }: Options): Promise<void> {
  const folder = await benchFolder('catalogue');
  console.log(machineLine());
  const env = { SANDBOX_FLEET: 'city', SANDBOX_CALLBACK_URL: '' };
  const product = await startProduct({ folder, callbackUrl: '', cpuProf: undefined, env });
  const stops = [() => product.stop()];
  try {
    const paths = await pathsOf(product.apiUrl);
    const floor = await startFloor(folder, await answersOf(product.apiUrl, paths));
    stops.push(floor.stop);
    const sides: Side[] = [
      { name: 'product', url: product.apiUrl, pid: product.processes.program },
      { name: 'floor', url: floor.url, pid: floor.pid },
    ];
    const at = ({ url }: Side, path: string, forSeconds: number) =>
      requestAtRate({ url, path, token: access.token, perSecond: rate, seconds: forSeconds }, folder);
    console.log(`${rate} a second for ${seconds} s; ms from when it was due: p50 / p99 / max; CPU of each`);
    for (const path of paths) {
      for (const side of sides) await at(side, path, warmUpSeconds);
      for (let round = 1; round <= rounds; round++) {
        for (const side of sides) {
          const before = await cpuMs([side.pid]);
          const figures = await at(side, path, seconds);
          const used = differenceOf(await cpuMs([side.pid]), before);
          const title = side.name === 'product' ? path : '';
          console.log(`${title.padEnd(26)} ${side.name.padEnd(8)} ${line(figures, used / (rate * seconds))}`);
        }
      }
    }
  } catch (error) {
    console.error(`logs are in ${folder}`);
    throw error;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
  await rm(folder, { recursive: true, force: true });
}

interface Side {
  name: 'product' | 'floor';
  url: string;
  /** For the product it includes sandbox, worker and database, which run in the process that answers. */
  pid: number;
}

function differenceOf(after: number | null, before: number | null): number {
  return (after ?? Number.NaN) - (before ?? 0);
}

/** One path of each kind: lists of a hundred items, a product with its cars, a car with its memos and today's schedule. */
async function pathsOf(url: string): Promise<string[]> {
  const [products, cars] = ['/api/products?limit=100', '/api/cars?limit=100'];
  const first = async (path: string) => ((await read(url, path)) as { items: Listed[] }).items[0];
  const productId = (await first(products))?.productId;
  const carId = (await first(cars))?.carId;
  return [products, `/api/products/${productId}`, cars, `/api/cars/${carId}`];
}
interface Listed {
  productId?: number;
  carId?: number;
}

async function answersOf(url: string, paths: string[]): Promise<Record<string, unknown>> {
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await read(url, path)])));
}

/** Retries, because a platform that has just started may not answer yet. */
async function read(url: string, path: string): Promise<unknown> {
  for (const giveUpAt = Date.now() + 30_000; ; ) {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${access.token}` } });
    if (answer.ok) return answer.json();
    if (answer.status !== 503 || Date.now() > giveUpAt) throw new Error(`${path} answered ${answer.status}`);
    await sleep(500);
  }
}

function line({ p50, p99, max, bytes, statuses }: AnswerFigures, cpuEach: number): string {
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  const cpu = cpuEach.toFixed(2);
  return `${p50} / ${p99} / ${max}, ${cpu} ms   ${answers.join(', ')}, ${(bytes / 1024).toFixed(1)} KB each`;
}
