import { relayLimits } from '../../../src/inbox/relay/limits.js';
import type { components } from '../processes.js';
import { actionCost, callbackCost } from './costs.js';
import type { Figures } from './figures.js';
import { type Plan, relayCapacity } from './plan.js';
import type { Stage } from './simulate.js';

/** At the peak the relay waits for further callbacks of a reservation, then for its next poll, at most 20 ms more than `pollMs` later. */
const untilPolledSeconds = (relayLimits.busyCoalesceMs + relayLimits.pollMs + 20) / 1_000;

const titles = {
  api: 'receiver',
  handoverDb: 'Handover’s Postgres',
  temporal: 'Temporal',
  temporalDb: 'Temporal’s Postgres',
  worker: 'workers',
};

/** The way of a callback through a plan's processes: receiver and database, relay, Temporal and its database, workers. */
export function stationsOf(
  figures: Figures,
  plan: Plan,
  { open, utilisation }: { open: number; utilisation: number },
): Stage[] {
  const callback = callbackCost(figures, open);
  const action = actionCost(figures, open);
  const station = (name: (typeof components)[number], servers: number): Stage => ({
    name: titles[name],
    servers,
    seconds: { callback: callback.cpuMs[name] / 1000, action: action.cpuMs[name] / 1000 },
  });
  const machines = (name: (typeof components)[number]) =>
    Math.max(1, Math.ceil(plan.cores[name] / utilisation));
  const relays = Math.min(plan.worker.processes, plan.relay.shardsInUse);
  const { sendMs } = plan.relay;
  const relay: Stage = {
    name: 'relay',
    servers: Math.max(1, Math.round((relays * relayCapacity(figures, open, sendMs) * sendMs) / 1000)),
    seconds: { callback: sendMs / 1000, action: 0 },
    waitsUpTo: untilPolledSeconds,
  };
  return [
    station('api', plan.api.processes),
    station('handoverDb', machines('handoverDb')),
    relay,
    station('temporal', machines('temporal')),
    station('temporalDb', machines('temporalDb')),
    station('worker', plan.worker.processes),
  ];
}
