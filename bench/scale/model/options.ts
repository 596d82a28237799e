import { parseArgs } from 'node:util';
import type { Fleet } from './fleet.js';
import type { PlanOptions } from './plan.js';

export interface ModelOptions {
  fleet: Fleet;
  plan: PlanOptions;
  /** Dollars per million actions; null: the tiers of the price list. */
  price: number | null;
  /** Of lists in a month. */
  checks: number;
  /** Simulated minutes around the peak. */
  minutes: number;
  /** Minutes of an outage of all workers at the peak. */
  outageMinutes: number;
  figures: string | undefined;
  json: boolean;
}

/** Each option with its default; null: it is derived. */
const options = {
  open: ['10000', 'open reservations'],
  'per-day': [null, 'new reservations a day (default: a fourteenth of the open ones)'],
  callbacks: ['12', 'callbacks of each reservation over its life'],
  actions: ['8', 'staff actions of each reservation'],
  reads: ['20', 'reads of one reservation over its life: each is a query, which Temporal Cloud bills'],
  peak: ['4', 'the busiest time of the day to the mean of the day'],
  'callbacks-per-second': [null, 'callbacks a second at the peak (default: what the reservations make)'],
  utilisation: ['0.6', 'share of its capacity that a process uses at the peak'],
  'retention-days': ['3', 'days for which Temporal stores closed runs'],
  'store-days': ['365', 'days for which Handover stores callbacks and timelines'],
  'persistence-ms': [
    '5',
    'one write of Temporal’s history service: not measured here, see its persistence_latency',
  ],
  'database-memory': ['64', 'GB of memory of the machine with Handover’s database'],
  checks: ['30', 'checks of lists in a month: each queries every open reservation once'],
  'database-cores': [
    '32',
    'cores of the largest machine for a database: above it another installation begins',
  ],
  'send-ms': [
    null,
    'one send of a relay to Temporal (default: as measured; the metric handover_relay_send_seconds)',
  ],
  price: [null, 'dollars per million actions (default: the price list, with its volume tiers)'],
  minutes: ['10', 'simulated minutes around the peak'],
  outage: ['10', 'minutes of an outage of all workers at the peak, for the time to drain'],
  figures: [null, 'measured figures of your own machine (default: bench/scale/figures.json)'],
} as const satisfies Record<string, readonly [string | null, string]>;

export function help(): string {
  const rows = Object.entries(options).map(
    ([name, [usual, what]]) => `  --${name.padEnd(22)} ${what}${usual === null ? '' : ` (${usual})`}`,
  );
  return [
    'npm run bench -- scale-model [options]: what a fleet needs, by the figures that the benches measured',
    ...rows,
    '  --json                   the result for a program',
  ].join('\n');
}

/** @returns null: the help is wanted @throws Error with the help where an argument is not valid */
export function readModelOptions(args: string[]): ModelOptions | null {
  const strings = Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({
    args,
    options: { ...strings, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) return null;
  const text = (name: keyof typeof options) => {
    const given = (values as Record<string, unknown>)[name];
    return typeof given === 'string' ? given : options[name][0];
  };
  const optional = (name: keyof typeof options): number | null => {
    const given = text(name);
    if (given === null) return null;
    const number = Number(given);
    if (!Number.isFinite(number) || number < 0)
      throw new Error(`--${name} is a number, not ${given}\n${help()}`);
    return number;
  };
  const number = (name: keyof typeof options) => optional(name) ?? 0;
  const open = number('open');
  const utilisation = number('utilisation');
  if (utilisation <= 0 || utilisation > 1)
    throw new Error(`--utilisation is above 0 and at most 1\n${help()}`);
  if (number('peak') < 1) throw new Error(`--peak is 1 or more\n${help()}`);
  if (number('callbacks') < 2) throw new Error(`--callbacks is 2 or more\n${help()}`);
  return {
    fleet: {
      open,
      reservationsPerDay: optional('per-day') ?? open / 14,
      callbacks: number('callbacks'),
      actions: number('actions'),
      reads: number('reads'),
      peakFactor: number('peak'),
      callbacksPerSecond: optional('callbacks-per-second'),
    },
    plan: {
      utilisation,
      retentionDays: number('retention-days'),
      storeDays: number('store-days'),
      persistenceMs: number('persistence-ms'),
      databaseMemoryGb: number('database-memory'),
      databaseCores: number('database-cores'),
      sendMs: optional('send-ms'),
    },
    price: optional('price'),
    checks: number('checks'),
    minutes: number('minutes'),
    outageMinutes: number('outage'),
    figures: text('figures') ?? undefined,
    json: values.json === true,
  };
}
