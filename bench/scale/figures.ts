import { ofLifecycle } from '../lifecycle.js';
import { rounded } from '../statistics.js';
import { type Cost, scalars, type UnitCost } from './cost.js';
import type { Figure, Figures } from './model/figures.js';
import { growing, type Point } from './model/line.js';
import type { ScaleReport, SizeReport } from './report.js';
import { percent } from './table.js';

/** The command that measured a report, and the commit that it measured. */
export interface Source {
  command: string;
  commit: string;
}

/**
 * The figures of the model from a report. Costs are those beside the most open reservations, but for the bytes that a lifecycle and a callback store;
 * that of a callback whose workflow is in a cache is the one beside the fewest.
 *
 * @param known what no such report has: the price list and the relay alone
 */
export function figuresOf(report: ScaleReport, known: Figures, source: Source): Figures {
  const { sizes, machine, options } = report;
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first === undefined || last === undefined) throw new Error('the report has no size');
  const figure = <T>(value: T, what: string, of: readonly SizeReport[]): Figure<T> => ({
    value,
    command: source.command,
    measured: `${source.commit}, ${what}, ${options.workers} workers, ${machine.cores} cores; other programs took ${percent(mostOthers(of))} of the machine at most`,
  });
  const all = `${sizes.map(openOf).join(', ')} open`;
  const worker = sizes.map((size): Point => ({ at: mean(size, 'cached'), value: size.memoryMb.worker }));
  const mostStored = `bytes stored: the most of ${all}`;
  const callback = (of: SizeReport) =>
    figure(
      { ...plain(of.callback), ...mostGrown(sizes, 'callback') },
      `${of.callback.count} callbacks with ${openOf(of)} open; ${mostStored}`,
      sizes,
    );
  return {
    opening: figure(
      plain(last.opening),
      `${last.opening.callbacksPerSecond} callbacks a second up to ${openOf(last)} open`,
      [last],
    ),
    callback: callback(first),
    coldCallback: callback(last),
    lifecycle: figure(
      { ...ofLifecycle, ...plain(last.lifecycle), ...mostGrown(sizes, 'lifecycle') },
      `${last.lifecycle.count} lifecycles beside ${openOf(last)} open; ${mostStored}`,
      sizes,
    ),
    idleCores: figure(
      sizes.map(({ open, idleCores: cores }) => ({ open, cores })),
      all,
      sizes,
    ),
    memoryMb: figure(
      {
        api: Math.max(...sizes.map(({ memoryMb }) => memoryMb.api)),
        worker: growing(worker),
        temporal: sizes.map(({ open, memoryMb }) => ({ at: open, value: memoryMb.temporal })),
      },
      all,
      sizes,
    ),
    sendMs: figure(mean(first, 'sendMs'), `${openOf(first)} open`, [first]),
    relayPerSecond: known.relayPerSecond,
    priceTiers: known.priceTiers,
  };
}

/** Pages that earlier updates freed are used again, so that the databases grow by less than what is stored. */
function mostGrown(
  sizes: readonly SizeReport[],
  of: 'callback' | 'lifecycle',
): Pick<Cost, 'handoverBytes' | 'temporalBytes'> {
  const most = (name: 'handoverBytes' | 'temporalBytes') => Math.max(...sizes.map((size) => size[of][name]));
  return { handoverBytes: most('handoverBytes'), temporalBytes: most('temporalBytes') };
}

/** The cost without what only its measurement has. */
function plain(measured: UnitCost): Cost {
  const read = Object.fromEntries(scalars.map((name) => [name, measured[name]])) as Omit<Cost, 'cpuMs'>;
  return { cpuMs: measured.cpuMs, ...read };
}

function openOf({ open }: SizeReport): string {
  return open.toLocaleString('en-US');
}

function mostOthers(sizes: readonly SizeReport[]): number | null {
  const shares = sizes.map(({ others }) => others);
  return shares.includes(null) ? null : Math.max(...shares.map(Number));
}

/** Of all workers; 0 where none says it. */
function mean({ workers }: SizeReport, name: 'cached' | 'sendMs'): number {
  const values = workers.flatMap((one) => one[name] ?? []);
  return rounded(values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1), 1);
}
