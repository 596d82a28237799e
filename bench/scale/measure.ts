import { setTimeout as sleep } from 'node:timers/promises';
import { Lifecycles, type Played } from '../lifecycle.js';
import { rounded } from '../statistics.js';
import { openingOf, reservationAt } from './callbacks.js';
import { Changes } from './changes.js';
import { continueAsNew } from './continued.js';
import { costOf } from './cost.js';
import { firstHistories, lifecycleHistories } from './histories.js';
import { untilApplied } from './inbox.js';
import type { ScaleOptions, Size } from './options.js';
import { measurePhase } from './phase.js';
import { type ByComponent, each, memoryOf } from './processes.js';
import { timeReads } from './reads.js';
import { Recorder } from './recorder.js';
import type { SizeReport } from './report.js';
import { sendAll } from './send.js';
import { isSettled, lookMs } from './settle.js';
import type { Stage } from './stage.js';

const continuedRuns = 3;
/** Lifecycles before the first that count: programs that have just started run slower code. */
const warmUp = 60;
/** Enough for what one costs; more would only take longer. No reservation gets two, which might share a signal. */
const mostWhileWorking = 5_000;

/** One deployment, which is measured with more and more open reservations. */
export class Measurement {
  private readonly lifecycles: Lifecycles;
  private readonly recorder: Recorder;
  private readonly changes: Changes;
  private open = 0;
  private isWarm = false;

  constructor(
    private readonly stage: Stage,
    private readonly options: ScaleOptions,
    show: (text: string) => void,
  ) {
    this.lifecycles = new Lifecycles(stage.target, options.concurrency);
    this.recorder = new Recorder(stage, show);
    this.changes = new Changes(this.recorder);
  }

  /** Opens reservations until `open` are, and measures everything with them. */
  async at({ open, backlog: callbacks }: Size): Promise<SizeReport> {
    const { stage, options, recorder } = this;
    const opened = await this.openUpTo(open);
    const settledSeconds = await this.settle();
    const idle = await recorder.measure('nothing happens', () => sleep(options.idleSeconds * 1000));
    const idleCores = each((name) => rounded(idle.phase.cpu[name] / idle.phase.seconds / 1000, 3));
    const memoryMb = await memoryOf(stage);
    const workers = await stage.workers.metrics();
    const reads = await this.read();
    const lifecycle = await this.playLifecycles(idleCores);
    const whileWorking = Math.min(open, mostWhileWorking);
    const callback = await this.changes.whileWorking(open, whileWorking, idleCores);
    const backlog = await this.changes.beforeWorkers(open, callbacks);
    const last = Array.from({ length: continuedRuns }, (_, index) => reservationAt(open - 1 - index));
    const continued = await continueAsNew(stage.target.temporalAddress, last);
    const { units, phase } = opened;
    const opening = costOf({ ...opened, idleCores });
    return {
      open,
      memoryMb,
      workers,
      settledSeconds,
      idleCores,
      opening: { ...opening, callbacksPerSecond: rounded((2 * units) / phase.seconds, 1) },
      callback,
      lifecycle,
      reads,
      backlog,
      continued,
      bytes: await recorder.bytes(),
      others: recorder.takeOthers(),
    };
  }

  close(): Promise<void> {
    return this.lifecycles.close();
  }

  private async openUpTo(open: number) {
    const { cluster, handover, target } = this.stage;
    const from = this.open;
    const units = open - from;
    const opened = await this.recorder.measure(`${units} reservations are opened`, async () => {
      await sendAll(cluster.callbackUrl, units, (index) => openingOf(from + index, Date.now()));
      await untilApplied(handover);
    });
    this.open = open;
    return { ...opened, units, history: await firstHistories(target.temporalAddress, open, from) };
  }

  /** @returns the seconds that it took until the processes did no more than they always do */
  private async settle(): Promise<number> {
    const { stage, recorder } = this;
    const cores: number[] = [];
    while (!isSettled(cores)) {
      const { phase } = await measurePhase(stage, () => sleep(lookMs));
      const used = Object.values(phase.cpu).reduce((sum, ms) => sum + ms, 0) / phase.seconds / 1000;
      cores.push(rounded(used, 2));
    }
    recorder.show(`settled after ${cores.length} looks of ${lookMs / 1000} s, cores: ${cores.join(' ')}`);
    return (cores.length * lookMs) / 1000;
  }

  private async read(): Promise<SizeReport['reads']> {
    this.recorder.show('lists are read');
    const { apiUrl } = this.stage.target;
    return {
      list: await timeReads(apiUrl, '/api/reservations?limit=100', this.options.reads),
      board: await timeReads(apiUrl, '/api/board', this.options.reads),
    };
  }

  private async playLifecycles(idleCores: ByComponent): Promise<SizeReport['lifecycle']> {
    const { lifecycles: count } = this.options;
    if (!this.isWarm) {
      this.recorder.show(`${warmUp} lifecycles that do not count`);
      await this.play(warmUp);
      this.isWarm = true;
    }
    const measured = await this.recorder.measure(`${count} lifecycles`, () => this.play(count));
    const { phase, grown, result: played } = measured;
    const read = await lifecycleHistories(this.stage.target.temporalAddress, played);
    const { actionsByName, ...history } = read;
    const cost = costOf({ phase, idleCores, units: count, history, grown });
    return { ...cost, count, seconds: phase.seconds, actionsByName };
  }

  private async play(count: number): Promise<Played[]> {
    const { concurrency } = this.options;
    const played: Played[] = [];
    let left = count;
    const lane = async () => {
      while (left-- > 0) played.push(await this.lifecycles.play());
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, count) }, lane));
    await untilApplied(this.stage.handover);
    return played;
  }
}
