import type { ByComponent } from '../processes.js';
import { cachedAtMost, callbackCost, reservationCost } from './costs.js';
import { coresOf, meanDemand, peakDemand } from './demand.js';
import type { Figures } from './figures.js';
import { type Fleet, meanRates, peakRates } from './fleet.js';
import { valueAt } from './line.js';

export interface PlanOptions {
  /** The share of its capacity that a process or a relay uses at the peak, 0 to 1. */
  utilisation: number;
  /** Days for which Temporal stores closed runs, and Handover its callbacks and timelines. */
  retentionDays: number;
  storeDays: number;
  /** Milliseconds of one write of Temporal's history service. */
  persistenceMs: number;
  /** GB of memory of the machine with Handover's database. */
  databaseMemoryGb: number;
  /** Cores of the largest machine for a database. */
  databaseCores: number;
  /** Milliseconds of one send of a relay to Temporal; null: as measured. */
  sendMs: number | null;
}

export interface Plan {
  /** Installations side by side, each with its own databases, namespace and 16 relay shards. Other figures are of all. */
  cells: number;
  api: { processes: number; mbEach: number };
  worker: { processes: number; mbEach: number };
  /** Of all its processes: it grows with what is open. */
  temporalMb: number;
  /** Cores at the peak, before the reserve. */
  cores: ByComponent;
  relay: {
    callbacksPerSecond: number;
    shards: number;
    shardsInUse: number;
    perShard: number;
    sendMs: number;
  };
  handoverDatabase: DatabasePlan & { partitions: string };
  temporalDatabase: DatabasePlan & { commitsPerSecond: number };
  /** Of each installation. */
  historyShards: number;
}

interface DatabasePlan {
  gb: number;
  rowsPerSecond?: number;
  walMbPerSecond: number;
}

/** Relay shards of an installation (src/store/callbacks/shard.ts); one worker has one relay. */
const relayShards = 16;
/** Sends of one relay that are under way at once (src/inbox/relay/relay.ts). */
const sendsAtOnce = 16;
/** Signals of one relay without a verdict (src/inbox/relay/unjudged.ts). */
const mostUnjudged = 64;
/** From a verdict until a relay without room for a signal has read it. */
const verdictReadMs = 70;
/** A production server has no fewer: their number is for ever. */
const leastHistoryShards = 512;
/** A history shard writes one thing at a time: above this share of its time, writes wait for each other. */
const shardBusyAtMost = 0.1;
const gb = 1024 ** 3;
const mb = 1024 ** 2;

export function planFor(figures: Figures, fleet: Fleet, options: PlanOptions): Plan {
  const peak = peakRates(fleet);
  const demand = peakDemand(figures, fleet);
  const cores = coresOf(demand, figures, fleet.open);
  const sendMs = options.sendMs ?? figures.sendMs.value;
  const relays = Math.ceil(
    peak.callbacks / (relayCapacity(figures, fleet.open, sendMs) * options.utilisation),
  );
  const largest = Math.max(cores.handoverDb, cores.temporalDb) / options.utilisation;
  const cells = Math.max(1, Math.ceil(relays / relayShards), Math.ceil(largest / options.databaseCores));
  const processes = (needed: number) => Math.max(2 * cells, Math.ceil(needed / options.utilisation));
  const workers = Math.max(processes(cores.worker), relays);
  const shardsInUse = cells * relayShards;
  const handoverGb = storedGb(figures, fleet, options.storeDays, 'handoverBytes');
  const writes = (demand.temporalCommits * options.persistenceMs) / 1000;
  return {
    cells,
    api: { processes: processes(cores.api), mbEach: figures.memoryMb.value.api },
    worker: { processes: workers, mbEach: workerMb(figures, fleet.open / workers) },
    temporalMb: valueAt(figures.memoryMb.value.temporal, fleet.open),
    cores,
    relay: {
      callbacksPerSecond: peak.callbacks,
      shards: relayShards,
      shardsInUse,
      perShard: peak.callbacks / shardsInUse,
      sendMs,
    },
    handoverDatabase: {
      gb: handoverGb,
      rowsPerSecond: demand.handoverRows,
      walMbPerSecond: demand.handoverWalBytes / mb,
      partitions: partitionAdvice(handoverGb / cells, options.databaseMemoryGb),
    },
    temporalDatabase: {
      gb: storedGb(figures, fleet, options.retentionDays, 'temporalBytes'),
      commitsPerSecond: demand.temporalCommits,
      walMbPerSecond: demand.temporalWalBytes / mb,
    },
    historyShards: Math.max(leastHistoryShards, powerOfTwoFrom(writes / cells / shardBusyAtMost)),
  };
}

/**
 * Callbacks a second of one relay, each alone in its signal: its sends under way at once, its signals without a verdict, and no
 * more than it has brought to a server at all. A verdict takes what Temporal and a worker use for it: a plan keeps queues short.
 */
export function relayCapacity(figures: Figures, open: number, sendMs: number): number {
  const { temporal, temporalDb, worker } = callbackCost(figures, open).cpuMs;
  const unjudgedMs = sendMs + temporal + temporalDb + worker + verdictReadMs;
  return Math.min(
    figures.relayPerSecond.value,
    sendsAtOnce / (sendMs / 1000),
    mostUnjudged / (unjudgedMs / 1000),
  );
}

/** Days until the database is as large as `limitGb`: when its partitions must be there. */
export function daysUntil(figures: Figures, fleet: Fleet, limitGb: number): number {
  const perDay = (meanDemand(figures, fleet).handoverBytes * 86_400) / gb;
  const open = (fleet.open * figures.opening.value.handoverBytes) / gb;
  return Math.max(0, (limitGb - open) / perDay);
}

/** Postgres advises partitions where a table exceeds the memory of its machine; before that they only cost. */
export function partitionAdvice(size: number, memoryGb: number): string {
  if (size <= memoryGb) return 'none';
  if (size <= 10 * memoryGb) return 'inbox by month of received_at, timeline by hash of the reservation';
  return 'as above, and old months on storage of their own or dropped sooner (INTAKE_VERDICT_RETENTION)';
}

function workerMb({ memoryMb }: Figures, openEach: number): number {
  return Math.round(valueAt(memoryMb.value.worker, Math.min(openEach, cachedAtMost)));
}

/** Open reservations, and those of the last days. */
function storedGb(
  figures: Figures,
  fleet: Fleet,
  days: number,
  bytes: 'handoverBytes' | 'temporalBytes',
): number {
  const each = reservationCost(figures, fleet)[bytes];
  const past = meanRates(fleet).reservations * 86_400 * days;
  return (fleet.open * figures.opening.value[bytes] + past * each) / gb;
}

function powerOfTwoFrom(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(least, 1)));
}
