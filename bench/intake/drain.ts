import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '../cpu.js';
import { rounded } from '../statistics.js';
import type { Target } from '../target.js';
import { type Loaded, send } from './load.js';

export interface Drained {
  events: number;
  reservations: number;
  /** Acknowledgements while the engine was stopped. */
  acknowledged: Loaded['acknowledgedMs'];
  acceptedPerSecond: number;
  /** Seconds until every event had reached its workflow. */
  seconds: number;
  eventsPerSecond: number;
  residentMb: { before: number | null; full: number | null; after: number | null };
}

/** Stops the engine's process, sends `events` callbacks, continues the engine, and waits until none of them waits. */
export async function outage(
  { apiUrl, receiverUrl, processes: { program, engine } }: Target,
  { events, connections, folder }: { events: number; connections: number; folder: string },
): Promise<{ drained: Drained; loaded: Loaded; prefix: string }> {
  const before = await residentMb(program);
  const prefix = 'outage';
  process.kill(engine, 'SIGSTOP');
  const load = { url: receiverUrl, prefix, firstReservation: 30_000_000, count: events, connections };
  const loaded = await send({ ...load, perSecond: null }, folder).finally(() =>
    process.kill(engine, 'SIGCONT'),
  );
  const full = await residentMb(program);
  const began = performance.now();
  while ((await waiting(apiUrl)) > 0) await sleep(500);
  const seconds = (performance.now() - began) / 1000;
  const drained = {
    events: loaded.accepted,
    reservations: Math.ceil(events / 4),
    acknowledged: loaded.acknowledgedMs,
    acceptedPerSecond: loaded.acceptedPerSecond,
    seconds: rounded(seconds, 1),
    eventsPerSecond: rounded(loaded.accepted / seconds, 1),
    residentMb: { before, full, after: await residentMb(program) },
  };
  return { drained, loaded, prefix };
}

async function waiting(apiUrl: string): Promise<number> {
  const text = await fetch(`${apiUrl}/metrics`).then((answer) => answer.text());
  const found = /^handover_inbox_waiting_events (\S+)$/m.exec(text)?.[1];
  return found === undefined ? Number.POSITIVE_INFINITY : Number(found);
}
