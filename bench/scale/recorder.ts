import { setTimeout as sleep } from 'node:timers/promises';
import { measurePhase, type Phase } from './phase.js';
import type { Stage } from './stage.js';

/** After a part of the measurement the server still writes visibility and deletes tasks. */
const quietMs = 3_000;

/** A part of the measurement, with the bytes by which the databases have grown. */
export interface Recorded<T> {
  phase: Phase;
  grown: { handover: number; temporal: number };
  result: T;
}

/** Measures the parts of a measurement one after another, and stores how busy the machine was. */
export class Recorder {
  private phases: Phase[] = [];

  constructor(
    readonly stage: Stage,
    readonly show: (text: string) => void,
  ) {}

  async measure<T>(title: string, work: () => Promise<T>): Promise<Recorded<T>> {
    this.show(title);
    await sleep(quietMs);
    const before = await this.bytes();
    const { phase, result } = await measurePhase(this.stage, work);
    await sleep(quietMs);
    const after = await this.bytes();
    this.phases.push(phase);
    const grown = { handover: after.handover - before.handover, temporal: after.temporal - before.temporal };
    return { phase, grown, result };
  }

  async bytes(): Promise<{ handover: number; temporal: number }> {
    const { handover, temporal } = this.stage;
    return { handover: await handover.bytes(), temporal: await temporal.bytes() };
  }

  /** The largest share of the machine that other programs used since the last call; null: not known. */
  takeOthers(): number | null {
    const shares = this.phases.splice(0).map(({ others }) => others);
    return shares.includes(null) ? null : Math.max(...shares.map(Number));
  }
}
