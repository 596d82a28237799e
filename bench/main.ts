// npm run bench: whole lifecycles through the product, and in the same run the same messages and HTTP calls on a bare
// SDK workflow (the floor). Rounds alternate, because a machine's speed drifts: only figures of one run compare.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallbackWatch } from './callback-watch.js';
import { startFloor } from './floor.js';
import { readHistories } from './histories.js';
import { Lifecycles, type Played } from './lifecycle.js';
import { type BenchOptions, readOptions } from './options.js';
import { startProduct } from './product.js';
import { head, historyLines, lines, type Report, type Round, ratioOf, toReport } from './report.js';
import { playRound, type Side } from './round.js';
import type { Target } from './target.js';

/** Histories read at the end, of each side. */
const historySample = 10;

try {
  const options = readOptions(process.argv.slice(2));
  const report = await bench(options);
  if (options.json) console.log(JSON.stringify(report, null, 2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function bench(options: BenchOptions): Promise<Report> {
  const say = options.json ? console.error : console.log;
  const folder = await mkdtemp(join(tmpdir(), 'handover-bench-'));
  const sides: Side[] = [];
  process.once('SIGINT', () => void stopAll(sides).then(() => process.exit(130)));
  const add = async (start: typeof startProduct, name: string) => {
    const side = await startSide(start, join(folder, name), options);
    sides.push(side);
    return side;
  };
  try {
    const product = await add(startProduct, 'product');
    const floor = await add(startFloor, 'floor');
    if (options.warmUp > 0) {
      await playRound(product, options.warmUp, options.concurrency);
      await playRound(floor, options.warmUp, options.concurrency);
    }
    const { lifecycles, concurrency } = options;
    say(`${lifecycles} lifecycles a round, ${concurrency} at a time`);
    say(head());
    const rounds: Round[] = [];
    const first: Played[][] = [];
    for (let index = 1; index <= options.rounds; index++) {
      const ours = await playRound(product, lifecycles, concurrency);
      const bare = await playRound(floor, lifecycles, concurrency);
      const round = {
        product: ours.figures,
        floor: bare.figures,
        ratio: ratioOf(ours.figures, bare.figures),
      };
      rounds.push(round);
      if (index === 1) first.push(ours.played, bare.played);
      say(lines(`round ${index}`, round));
    }
    const [ofProduct = [], ofFloor = []] = first;
    const report = toReport(options, rounds, {
      product: await readHistories(product.target, ofProduct.slice(0, historySample)),
      floor: await readHistories(floor.target, ofFloor.slice(0, historySample)),
    });
    say(lines('median', report.median));
    say(historyLines(report.histories));
    await stopAll(sides);
    await rm(folder, { recursive: true, force: true });
    return report;
  } catch (error) {
    console.error(`logs are kept in ${folder}`);
    await stopAll(sides);
    throw error;
  }
}

async function startSide(
  start: (options: { folder: string; callbackUrl: string; cpuProf: string | undefined }) => Promise<Target>,
  folder: string,
  { concurrency, cpuProf }: BenchOptions,
): Promise<Side> {
  await mkdir(folder, { recursive: true });
  const callbacks = new CallbackWatch();
  const target = await start({ folder, callbackUrl: await callbacks.listen(), cpuProf });
  callbacks.handTo(target.apiUrl, concurrency);
  return { target, callbacks, player: new Lifecycles(target, concurrency) };
}

async function stopAll(sides: Side[]): Promise<void> {
  await Promise.allSettled(sides.map(stopSide));
}

async function stopSide({ target, player, callbacks }: Side): Promise<void> {
  await player.close();
  await callbacks.close();
  await target.stop();
}
