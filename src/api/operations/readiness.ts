import { within } from '../../store/connection/within.js';
import type { Probe } from '../../temporal/client/probes.js';
import { Problem } from '../http/problem.js';
import { message } from '../messages/message.js';

export const probeWithinMs = 2_000;

export type Readiness = Record<string, 'ok' | 'failing'>;

/** Probes every part at once; one that does not answer within `withinMs` counts as failing. */
export async function readReadiness(
  probes: Readonly<Record<string, Probe>>,
  withinMs: number,
): Promise<Readiness> {
  const probed = Object.entries(probes).map(
    async ([name, probe]) => [name, await probeWithin(probe, withinMs)] as const,
  );
  return Object.fromEntries(await Promise.all(probed));
}

async function probeWithin(probe: () => Promise<unknown>, withinMs: number): Promise<'ok' | 'failing'> {
  try {
    await within(withinMs, Promise.resolve().then(probe));
    return 'ok';
  } catch {
    return 'failing';
  }
}

export const isReady = (checks: Readiness): boolean => Object.values(checks).every((state) => state === 'ok');

/** @throws Problem NOT_READY that names what fails; `process` is one that is about to stop */
export function readyOr503(checks: Readiness): { status: 'ready'; checks: Record<string, 'ok'> } {
  const failing = Object.keys(checks).filter((name) => checks[name] !== 'ok');
  if (failing.length === 0) return { status: 'ready', checks: checks as Record<string, 'ok'> };
  throw new Problem('NOT_READY', message('api.not-ready', { failing }), { members: { checks } });
}
