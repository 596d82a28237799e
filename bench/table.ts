import type { HistoryFigures } from './histories.js';
import { isBusy, sentAgainIn } from './publish.js';
import { type Report, type Round, ratioTo } from './report.js';
import type { Figures, Latency } from './round.js';
import { rounded } from './statistics.js';

const columns = [
  ['', 8],
  ['side', 18],
  ['lifecycles/s', 14],
  ['ratio', 7],
  ['ack p50/p99 ms', 17],
  ['action p50/p99 ms', 20],
  ['CPU ms each', 13],
  ['ratio', 7],
  ['of which program + engine; beside them sandbox, client', 30],
] as const;

export function head(): string {
  return columns.map(([title, width]) => title.padEnd(width)).join('');
}

/** One row of the table for each side. */
export function lines(title: string, round: Round): string {
  return Object.entries(round)
    .map(([side, figures], index) => line(index === 0 ? title : '', side, figures, round.floor))
    .join('\n');
}

function line(title: string, side: string, figures: Figures, floor: Figures | undefined): string {
  const { lifecyclesPerSecond, acknowledgement, action, cpuPerLifecycle, cpu } = figures;
  const ratio = (pick: (of: Figures) => number | null) =>
    side === 'floor' || floor === undefined ? '' : `${ratioTo(pick(floor), pick(figures)) ?? '-'}`;
  const cells = [
    title,
    side,
    lifecyclesPerSecond.toFixed(2),
    ratio((of) => of.lifecyclesPerSecond),
    both(acknowledgement),
    both(action),
    `${cpuPerLifecycle ?? '-'}`,
    ratio((of) => of.cpuPerLifecycle),
    `${cpu.program ?? '-'} + ${cpu.engine ?? '-'}; ${cpu.sandbox ?? '-'}, ${cpu.client ?? '-'}`,
  ];
  return cells.map((cell, index) => cell.padEnd(columns[index]?.[1] ?? 0)).join('');
}

const both = ({ p50, p99 }: Latency) => `${p50 ?? '-'} / ${p99 ?? '-'}`;

/** The figures that are measured once, writes that were sent again, and whether the machine was idle. */
export function footer({
  alone,
  residentMb,
  rounds,
}: Pick<Report, 'alone' | 'residentMb' | 'rounds'>): string {
  const each = Object.entries(alone).map(([side, figures]) => {
    const again = sentAgainIn([figures, ...rounds.flatMap((round) => round[side] ?? [])]);
    return [
      `${side}: an action alone ${figures.action.p50 ?? '-'} ms (p50)`,
      `memory of the program ${residentMb[side] ?? '-'} MB`,
      ...(again > 0 ? [`${again} writes had no answer in time and were sent again`] : []),
    ].join(', ');
  });
  const busy = [...rounds, alone].flatMap(Object.values<Figures>).filter(isBusy);
  const warning = busy
    .map(({ others }) => others)
    .sort()
    .at(-1);
  const load =
    warning === undefined
      ? []
      : [
          `Other programs took up to ${Math.round((warning ?? 0) * 100)} % of the machine: do not compare these figures.`,
        ];
  return [...each, ...load].join('\n');
}

export function historyLines(histories: Record<string, HistoryFigures>): string {
  return Object.entries(histories)
    .map(([side, { eventsPerLifecycle, ofWhichBooking, kilobytes, byType }]) => {
      const types = Object.entries(byType).map(([type, count]) => `${type} ${count}`);
      const reservation = rounded(eventsPerLifecycle - ofWhichBooking, 1);
      return `${side}: ${reservation} history events per reservation, ${ofWhichBooking} per booking, together ${kilobytes} KB\n  ${types.join(', ')}`;
    })
    .join('\n');
}
