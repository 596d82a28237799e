import type { ModelOptions } from './options.js';
import type { ModelResult } from './result.js';

const number = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: 0 });
const drained = (seconds: number) =>
  Number.isFinite(seconds) ? `drained in ${number(seconds)} s` : 'not drained while as many come';
const ms = (seconds: number) => `${number(seconds * 1000)} ms`;

/** The result as text. */
export function outputOf(result: ModelResult, { fleet, plan: { utilisation }, price }: ModelOptions): string {
  const { mean, peak, plan, cloud, delays, narrowest, outage } = result;
  const { cores, relay, handoverDatabase: ours, temporalDatabase: theirs } = plan;
  const reserved = (used: number) =>
    `${number(used, 2)} cores at the peak, ${number(Math.max(Math.ceil(used / utilisation), 1))} provided`;
  const rows: [string, string][] = [
    ['fleet', `${number(fleet.open)} open, ${number(fleet.reservationsPerDay)} new a day`],
    [
      'callbacks a second',
      `${number(mean.callbacks, 2)} on average, ${number(peak.callbacks, 1)} at the peak`,
    ],
    [
      'staff actions a second',
      `${number(mean.actions, 2)} on average, ${number(peak.actions, 1)} at the peak`,
    ],
    ['', ''],
    ['installations side by side', number(plan.cells)],
    [
      'api',
      `${number(plan.api.processes)} processes of ${number(plan.api.mbEach)} MB; ${number(cores.api, 2)} cores at the peak`,
    ],
    [
      'workers',
      `${number(plan.worker.processes)} processes of ${number(plan.worker.mbEach)} MB; ${number(cores.worker, 2)} cores at the peak`,
    ],
    [
      'relay',
      `${number(relay.shardsInUse)} shards in use, ${number(relay.perShard, 1)} callbacks a second each`,
    ],
    ['Handover’s Postgres', `${reserved(cores.handoverDb)}; ${number(ours.gb, 1)} GB`],
    [
      '',
      `${number(ours.rowsPerSecond ?? 0)} rows and ${number(ours.walMbPerSecond, 2)} MB of log written a second`,
    ],
    [
      '  partitions',
      `${ours.partitions}; larger than memory after ${number(result.daysUntilPartitions)} days`,
    ],
    ['Temporal', `${reserved(cores.temporal)}; ${number(plan.temporalMb / 1024, 1)} GB of memory`],
    ['  history shards', `${number(plan.historyShards)} in each installation`],
    ['Temporal’s Postgres', `${reserved(cores.temporalDb)}; ${number(theirs.gb, 1)} GB`],
    [
      '',
      `${number(theirs.commitsPerSecond)} transactions and ${number(theirs.walMbPerSecond, 2)} MB of log a second`,
    ],
    ['', ''],
    [
      'Temporal Cloud',
      `${number(cloud.actionsPerReservation, 1)} actions per reservation, ${number(cloud.ofWhichReads)} of them reads`,
    ],
    [
      '',
      `$${number(cloud.dollarsPerReservation, 5)} per reservation, $${number(cloud.dollarsPerMonth)} a month for ${number(cloud.actionsPerMonth / 1e6, 1)} million, ${number(cloud.ofWhichChecks / 1e6, 2)} of them by the check of lists`,
    ],
    [
      '',
      price === null
        ? 'by the price list; above 200 million a month prices are negotiated'
        : `at $${price} per million`,
    ],
    ['', `${number(cloud.peakPerSecond)} actions a second at the peak: ${number(cloud.units)} × 500`],
    ['', ''],
    [
      'delay of callbacks at the peak',
      `p50 ${ms(delays.p50)}, p95 ${ms(delays.p95)}, p99 ${ms(delays.p99)}; ${number(delays.within5s * 100, 2)} % within 5 s`,
    ],
    [
      '',
      `${number(delays.callbacks)} simulated; the narrowest: ${narrowest.name}, ${number(narrowest.perSecond)} a second`,
    ],
    [
      `outage of ${outage.minutes} minutes`,
      `${number(outage.callbacks)} callbacks wait, ${drained(outage.drainSeconds)}`,
    ],
  ];
  return rows.map(([title, text]) => `${title.padEnd(32)}${text}`.trimEnd()).join('\n');
}
