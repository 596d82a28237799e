import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isBusy } from '../publish.js';
import { totalMs } from './cost.js';
import { components } from './processes.js';
import type { ScaleReport, SizeReport } from './report.js';
import { percent } from './table.js';

const page = fileURLToPath(new URL('../../docs/scale.md', import.meta.url));
const head = '| open | workers |';

/** @throws Error where the machine was busy, or does not report its load */
export function checkScalePublishable({ sizes }: Pick<ScaleReport, 'sizes'>): void {
  if (sizes.some(({ others }) => others === null))
    throw new Error(
      '--publish: refused, the load by other programs is not known: this machine has no /proc.',
    );
  if (sizes.some(isBusy))
    throw new Error('--publish: refused, other programs load the machine. Stop them and measure again.');
}

/** Writes a row for each number of open reservations to the table of docs/scale.md. @throws Error where it has none */
export async function publishScale(report: ScaleReport): Promise<void> {
  await writeFile(page, withRows(await readFile(page, 'utf8'), report));
}

/** The page with these rows in place of those of the same number of reservations and workers. */
export function withRows(text: string, { sizes, options }: ScaleReport): string {
  const rows = text.split('\n');
  const top = rows.findIndex((row) => row.startsWith(head));
  if (top === -1) throw new Error('docs/scale.md has no table of sizes');
  const count = rows.slice(top).findIndex((row) => !row.startsWith('|'));
  const table = rows.splice(top, count === -1 ? rows.length - top : count);
  for (const size of sizes) {
    const start = `| ${size.open.toLocaleString('en-US')} | ${options.workers} |`;
    const row = `${start} ${cellsOf(size).join(' | ')} |`;
    const known = table.findIndex((one) => one.startsWith(start));
    if (known === -1) table.push(row);
    else table[known] = row;
  }
  return [...rows.slice(0, top), ...table, ...rows.slice(top)].join('\n');
}

function cellsOf(size: SizeReport): (string | number)[] {
  const { memoryMb, lifecycle, reads, callback, backlog, opening } = size;
  const kb = (bytes: number) => Math.round(bytes / 1024);
  const mb = (bytes: number) => ((bytes * 1000) / 1024 / 1024).toFixed(1);
  return [
    components.map((name) => memoryMb[name]).join(', '),
    `${totalMs(lifecycle.wholeCpuMs)} / ${totalMs(lifecycle.cpuMs)}`,
    lifecycle.events,
    lifecycle.cloudActions,
    `${reads.list.p50} / ${reads.list.p95}`,
    `${reads.board.p50} / ${reads.board.p95}`,
    callback.callbacksPerSecond,
    `${backlog.callbacks.toLocaleString('en-US')} in ${backlog.seconds} s`,
    `${mb(opening.handoverBytes)} + ${mb(opening.temporalBytes)}`,
    `${kb(lifecycle.handoverWalBytes)} + ${kb(lifecycle.temporalWalBytes)}`,
    percent(size.others),
  ];
}
