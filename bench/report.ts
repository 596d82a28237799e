import type { HistoryFigures } from './histories.js';
import { machine } from './machine.js';
import type { BenchOptions } from './options.js';
import type { Figures, Latency } from './round.js';
import { median, rounded } from './statistics.js';

/** A value per side: `product`, `floor`, and the compared commit. */
export type Round = Record<string, Figures>;

/** Figures of each side that are measured once, after the rounds. */
interface AtTheEnd {
  /** Times of lifecycles that are played one after another. */
  alone: Round;
  /** Memory of the program. */
  residentMb: Record<string, number | null>;
  histories: Record<string, HistoryFigures>;
}

export interface Report extends AtTheEnd {
  machine: { cores: number; node: string; platform: string };
  options: Pick<BenchOptions, 'lifecycles' | 'concurrency' | 'rounds' | 'warmUp' | 'postgres'>;
  rounds: Round[];
  median: Round;
}

export function toReport(
  { lifecycles, concurrency, rounds: count, warmUp, postgres }: BenchOptions,
  rounds: Round[],
  atTheEnd: AtTheEnd,
): Report {
  const names = Object.keys(rounds[0] ?? {});
  const ofSide = (name: string) => rounds.flatMap((round) => round[name] ?? []);
  return {
    machine: machine(),
    options: { lifecycles, concurrency, rounds: count, warmUp, postgres },
    rounds,
    median: Object.fromEntries(names.map((name) => [name, medianOf(ofSide(name))])),
    ...atTheEnd,
  };
}

/** A side's figure divided by the floor's; null where one of them is unknown. */
export function ratioTo(floor: number | null | undefined, value: number | null | undefined): number | null {
  return floor == null || value == null || floor === 0 ? null : rounded(value / floor, 2);
}

function medianOf(all: Figures[]): Figures {
  const known = (pick: (figures: Figures) => number | null) => {
    const values = all.map(pick).filter((value) => value !== null);
    return values.length === 0 ? null : rounded(median(values), 2);
  };
  const latency = (pick: (figures: Figures) => Latency): Latency => ({
    p50: known((figures) => pick(figures).p50),
    p99: known((figures) => pick(figures).p99),
    samples: all.reduce((sum, figures) => sum + pick(figures).samples, 0),
  });
  return {
    lifecyclesPerSecond: known((figures) => figures.lifecyclesPerSecond) ?? 0,
    acknowledgement: latency((figures) => figures.acknowledgement),
    action: latency((figures) => figures.action),
    sentAgain: all.reduce((sum, figures) => sum + figures.sentAgain, 0),
    cpu: {
      program: known(({ cpu }) => cpu.program),
      engine: known(({ cpu }) => cpu.engine),
      sandbox: known(({ cpu }) => cpu.sandbox),
      client: known(({ cpu }) => cpu.client),
    },
    cpuPerLifecycle: known((figures) => figures.cpuPerLifecycle),
    others: known((figures) => figures.others),
  };
}
