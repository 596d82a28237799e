import { availableParallelism } from 'node:os';
import type { HistoryFigures } from './histories.js';
import type { BenchOptions } from './options.js';
import type { Figures, Latency } from './round.js';
import { median, rounded } from './statistics.js';

export interface Round {
  product: Figures;
  floor: Figures;
  /** The product's lifecycles/s over the floor's. */
  ratio: number;
}

export interface Report {
  machine: { cores: number; node: string; platform: string };
  options: Pick<BenchOptions, 'lifecycles' | 'concurrency' | 'rounds' | 'warmUp'>;
  rounds: Round[];
  median: Round;
  histories: { product: HistoryFigures; floor: HistoryFigures };
}

export function toReport(
  { lifecycles, concurrency, rounds: count, warmUp }: BenchOptions,
  rounds: Round[],
  histories: Report['histories'],
): Report {
  return {
    machine: { cores: availableParallelism(), node: process.version, platform: process.platform },
    options: { lifecycles, concurrency, rounds: count, warmUp },
    rounds,
    median: {
      product: medianOf(rounds.map(({ product }) => product)),
      floor: medianOf(rounds.map(({ floor }) => floor)),
      ratio: rounded(median(rounds.map(({ ratio }) => ratio)), 2),
    },
    histories,
  };
}

export const ratioOf = (product: Figures, floor: Figures) =>
  rounded(product.lifecyclesPerSecond / floor.lifecyclesPerSecond, 2);

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
    askedAgain: all.reduce((sum, figures) => sum + figures.askedAgain, 0),
    cpuPerLifecycle: known((figures) => figures.cpuPerLifecycle),
    cpuOfEach: (all[0]?.cpuOfEach ?? []).map((_each, index) =>
      known((figures) => figures.cpuOfEach[index] ?? null),
    ),
  };
}

const columns = [
  ['', 8],
  ['side', 9],
  ['lifecycles/s', 14],
  ['ratio', 7],
  ['ack p50/p99 ms', 17],
  ['action p50/p99 ms', 20],
  ['CPU ms each (program + engine)', 32],
] as const;

/** The table's head. */
export function head(): string {
  return columns.map(([title, width]) => title.padEnd(width)).join('');
}

/** Two lines of the table. */
export function lines(title: string, { product, floor, ratio }: Round): string {
  return [line(title, 'product', product, ratio.toFixed(2)), line('', 'floor', floor, '')].join('\n');
}

function line(title: string, side: string, figures: Figures, ratio: string): string {
  const { lifecyclesPerSecond, acknowledgement, action, cpuPerLifecycle, cpuOfEach } = figures;
  const cpu =
    cpuPerLifecycle === null ? 'not measured here' : `${cpuPerLifecycle} (${cpuOfEach.join(' + ')})`;
  const cells = [
    title,
    side,
    lifecyclesPerSecond.toFixed(2),
    ratio,
    both(acknowledgement),
    both(action),
    cpu,
  ];
  return cells.map((cell, index) => cell.padEnd(columns[index]?.[1] ?? 0)).join('');
}

const both = ({ p50, p99 }: Latency) => `${p50 ?? '-'} / ${p99 ?? '-'}`;

export function historyLines({ product, floor }: Report['histories']): string {
  const row = (name: string, { eventsPerLifecycle, ofWhichBooking, byType }: HistoryFigures) => {
    const types = Object.entries(byType).map(([type, count]) => `${type} ${count}`);
    const reservation = rounded(eventsPerLifecycle - ofWhichBooking, 1);
    return `${name}: ${reservation} history events per reservation, ${ofWhichBooking} per booking\n  ${types.join(', ')}`;
  };
  return [row('product', product), row('floor', floor)].join('\n');
}
