import { totalMs } from './cost.js';
import { isFlat, ratiosToFirst } from './flat.js';
import { components } from './processes.js';
import type { ScaleReport, SizeReport } from './report.js';

const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
const both = (values: { p50: number; p95: number }) => `${values.p50} / ${values.p95} ms`;
const known = (values: (number | null)[]) => values.map((value) => value ?? '-').join(', ');

type Row = [title: string, read: (size: SizeReport) => string];

const rows: readonly Row[] = [
  ...components.map((name): Row => [`memory of ${name}, MB`, ({ memoryMb }) => `${memoryMb[name]}`]),
  ['heap of each worker, MB', ({ workers }) => known(workers.map(({ heapMb }) => heapMb))],
  ['workflows in the cache of each worker', ({ workers }) => known(workers.map(({ cached }) => cached))],
  ['one send of each relay, ms', ({ workers }) => known(workers.map(({ sendMs }) => sendMs))],
  ['settled after, s', ({ settledSeconds }) => `${settledSeconds}`],
  ['cores while nothing happens', ({ idleCores }) => sum(Object.values(idleCores)).toFixed(2)],
  ['CPU per lifecycle, ms', ({ lifecycle }) => `${totalMs(lifecycle.wholeCpuMs)}`],
  ...components.map(
    (name): Row => [`  of which ${name}`, ({ lifecycle }) => `${Math.round(lifecycle.wholeCpuMs[name])}`],
  ),
  ['  without use while nothing happens', ({ lifecycle }) => `${totalMs(lifecycle.cpuMs)}`],
  ['events per lifecycle', ({ lifecycle }) => `${lifecycle.events}`],
  ['Temporal Cloud actions per lifecycle', ({ lifecycle }) => `${lifecycle.cloudActions}`],
  ['CPU per opened reservation, ms', ({ opening }) => `${totalMs(opening.cpuMs)}`],
  ['CPU per callback alone, ms', ({ callback }) => `${totalMs(callback.cpuMs)}`],
  ['list p50 / p95', ({ reads }) => both(reads.list)],
  ['board p50 / p95', ({ reads }) => both(reads.board)],
  ['callbacks applied a second, opening', ({ opening }) => `${opening.callbacksPerSecond}`],
  ['callbacks applied a second, changes', ({ callback }) => `${callback.callbacksPerSecond}`],
  [
    'backlog: callbacks, stored a second',
    ({ backlog }) => `${backlog.callbacks}, ${backlog.storedPerSecond}`,
  ],
  ['backlog: callbacks applied a second', ({ backlog }) => `${backlog.callbacksPerSecond}`],
  ['backlog: drained after, first after', ({ backlog }) => `${backlog.seconds} s, ${backlog.firstSeconds} s`],
  ['continue-as-new', ({ continued }) => `${continued.ms} ms, carries ${continued.carriedKb} KB`],
  ['Handover’s database', ({ bytes }) => mb(bytes.handover)],
  ['  per 1,000 opened', ({ opening }) => mb(opening.handoverBytes * 1000)],
  ['Temporal’s databases', ({ bytes }) => mb(bytes.temporal)],
  ['  per 1,000 opened', ({ opening }) => mb(opening.temporalBytes * 1000)],
  [
    'log written per lifecycle, Handover + Temporal',
    ({ lifecycle }) => `${kb(lifecycle.handoverWalBytes)} + ${kb(lifecycle.temporalWalBytes)}`,
  ],
  ['machine used by other programs, at most', ({ others }) => percent(others)],
];

/** One column for each number of open reservations, then whether the costs per lifecycle are flat. */
export function tableOf({ sizes, options, machine }: ScaleReport): string {
  const width = 44;
  const line = (title: string, cells: string[]) =>
    title.padEnd(width) + cells.map((cell) => cell.padStart(22)).join('');
  const head = line(
    `open reservations, ${options.workers} workers, ${machine.cores} cores`,
    sizes.map(({ open }) => open.toLocaleString('en-US')),
  );
  return [head, ...rows.map(([title, read]) => line(title, sizes.map(read))), ...flatness(sizes)].join('\n');
}

function flatness(sizes: SizeReport[]): string[] {
  return ratiosToFirst(sizes).map(
    ({ open, wholeCpu, cpu, events }) =>
      `${open.toLocaleString('en-US')} open to the first: CPU per lifecycle ${wholeCpu} (without use while nothing happens ${cpu}), events ${events}: ${isFlat(wholeCpu) && isFlat(events) ? 'flat' : 'not flat'}`,
  );
}

export function percent(share: number | null): string {
  return share === null ? 'not known' : `${Math.round(share * 100)} %`;
}

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
