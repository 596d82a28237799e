import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { headCommit } from './head-commit.js';
import { type Report, ratioTo } from './report.js';
import type { Figures } from './round.js';
import { rounded } from './statistics.js';

const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const manifest = fileURLToPath(new URL('../../package.json', import.meta.url));
/** Above the few percent of CPU for interrupts and the bench's own network, which /proc counts for no process. */
const quietBelow = 0.1;

/** Whether other programs used so much of the machine that figures do not compare. Unknown without /proc. */
export function isBusy({ others }: Pick<Figures, 'others'>): boolean {
  return others !== null && others > quietBelow;
}

/** Writes whose answer did not come in time. */
export function sentAgainIn(all: readonly Pick<Figures, 'sentAgain'>[]): number {
  return all.reduce((sum, { sentAgain }) => sum + sentAgain, 0);
}

/** @throws Error where the machine was busy or does not report its load, or a side did not answer in time */
export function checkPublishable({ rounds, alone }: Pick<Report, 'rounds' | 'alone'>): void {
  const all = [...rounds, alone].flatMap((round) => Object.values(round));
  if (all.some(({ others }) => others === null))
    throw new Error(
      '--publish: refused, the load by other programs is not known: this machine has no /proc.',
    );
  if (all.some(isBusy))
    throw new Error('--publish: refused, other programs load the machine. Stop them and measure again.');
  const again = sentAgainIn(all);
  if (again > 0)
    throw new Error(
      `--publish: refused, ${again} writes had no answer in time and were sent again. ` +
        'The figures of such a run do not compare: measure again.',
    );
}

/** Writes this release's row to the table of releases. @throws Error where the page does not have the table */
export async function publish(report: Report): Promise<void> {
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const release = { version, commit: await headCommit() };
  await writeFile(page, withRelease(await readFile(page, 'utf8'), release, report));
}

/** The page with this row in place of that of the same version; the newest version is the first row. */
export function withRelease(
  text: string,
  { version, commit }: { version: string; commit: string },
  report: Published,
): string {
  const rows = text.split('\n');
  const head = rows.findIndex((row) => row.startsWith('| release | lifecycles/s'));
  if (head === -1) throw new Error('docs/performance.md has no table of releases');
  const count = rows.slice(head).findIndex((row) => !row.startsWith('|'));
  const table = count === -1 ? rows.slice(head) : rows.slice(head, head + count);
  const row = `| ${version} (${commit}) | ${cellsOf(report).join(' | ')} |`;
  const known = table.findIndex((one) => one.startsWith(`| ${version} `));
  if (known === -1) rows.splice(head + 2, 0, row);
  else rows[head + known] = row;
  return rows.join('\n');
}

type Published = Pick<Report, 'median' | 'alone' | 'residentMb' | 'histories'>;

function cellsOf({ median, alone, residentMb, histories }: Published): (string | number | null)[] {
  const { product, floor } = median;
  const ratio = (pick: (figures: Figures) => number | null) =>
    ratioTo(floor && pick(floor), product && pick(product));
  const { eventsPerLifecycle = 0, ofWhichBooking = 0 } = histories.product ?? {};
  return [
    ratio((figures) => figures.lifecyclesPerSecond),
    ratio((figures) => figures.cpuPerLifecycle),
    product?.cpuPerLifecycle ?? null,
    `${rounded(eventsPerLifecycle - ofWhichBooking, 0)} + ${rounded(ofWhichBooking, 0)}`,
    ratioTo(alone.floor?.action.p50, alone.product?.action.p50),
    ratio((figures) => figures.acknowledgement.p99),
    residentMb.product ?? null,
  ];
}
