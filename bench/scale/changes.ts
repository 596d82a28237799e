import { rounded } from '../statistics.js';
import { changeOf } from './callbacks.js';
import { costOf } from './cost.js';
import { firstHistories } from './histories.js';
import { untilApplied, untilProgress } from './inbox.js';
import type { ByComponent } from './processes.js';
import type { Recorder } from './recorder.js';
import type { SizeReport } from './report.js';
import { sendAll } from './send.js';

/** Callbacks that change the open reservations, each one as often as the others. */
export class Changes {
  /** Changes of the first open reservations so far; the last ones may have one less. */
  private done = 0;

  constructor(private readonly recorder: Recorder) {}

  /** While all workers run. */
  async whileWorking(open: number, count: number, idleCores: ByComponent): Promise<SizeReport['callback']> {
    const { target, handover } = this.recorder.stage;
    const doneBefore = this.done;
    const before = await firstHistories(target.temporalAddress, open);
    const { phase, grown } = await this.recorder.measure(`${count} callbacks come`, async () => {
      await this.send(open, count);
      await untilApplied(handover);
    });
    const after = await firstHistories(target.temporalAddress, open);
    const changes = this.done - doneBefore;
    const history = {
      events: rounded((after.events - before.events) / changes, 1),
      cloudActions: rounded((after.cloudActions - before.cloudActions) / changes, 1),
    };
    const cost = costOf({ phase, idleCores, units: count, history, grown });
    return { ...cost, count, callbacksPerSecond: rounded(count / phase.seconds, 1) };
  }

  /** While no worker runs; then all start. */
  async beforeWorkers(open: number, callbacks: number): Promise<SizeReport['backlog']> {
    const { workers, handover } = this.recorder.stage;
    this.recorder.show(`${callbacks} callbacks come while no worker runs`);
    await workers.stop();
    const stored = await this.send(open, callbacks);
    const { phase, result } = await this.recorder.measure('they are applied', async () => {
      const began = performance.now();
      const since = () => rounded((performance.now() - began) / 1000, 2);
      const [readySeconds, firstSeconds] = await Promise.all([
        workers.start().then(since),
        untilProgress(handover, callbacks).then(since),
        untilApplied(handover),
      ]);
      return { readySeconds, firstSeconds };
    });
    return {
      callbacks,
      storedPerSecond: stored.perSecond,
      acknowledgedMs: stored.acknowledgedMs,
      ...result,
      seconds: phase.seconds,
      callbacksPerSecond: rounded(callbacks / (phase.seconds - result.firstSeconds), 1),
    };
  }

  private async send(open: number, count: number) {
    const first = this.done;
    const url = this.recorder.stage.cluster.callbackUrl;
    const sent = await sendAll(url, count, (index) => [
      changeOf(index % open, Date.now(), first + 1 + Math.floor(index / open)),
    ]);
    this.done = first + Math.ceil(count / open);
    return sent;
  }
}
