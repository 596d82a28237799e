import { within } from '../../store/connection/within.js';
import type { Probe } from '../../temporal/client/probes.js';
import { Problem } from '../http/problem.js';
import { shareRead } from '../http/share-read.js';
import { message } from '../messages/message.js';

export const probeWithinMs = 2_000;

/** How long requests share one probe of all parts, in ms. */
const sharedForMs = 1_000;
const failingForMs = 100;

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

/** Readiness as all requests share it. A part that is just starting is seen soon: a rolling restart waits for it. */
export function shareReadiness(probes: Readonly<Record<string, Probe>>): () => Promise<Readiness> {
  const staysFor = (checks: Readiness) => (failingIn(checks).length === 0 ? sharedForMs : failingForMs);
  return shareRead(() => readReadiness(probes, probeWithinMs), sharedForMs, staysFor);
}

const failingIn = (checks: Readiness) => Object.keys(checks).filter((name) => checks[name] !== 'ok');

async function probeWithin(probe: () => Promise<unknown>, withinMs: number): Promise<'ok' | 'failing'> {
  try {
    await within(withinMs, Promise.resolve().then(probe));
    return 'ok';
  } catch {
    return 'failing';
  }
}

/** @throws Problem NOT_READY that names what fails; `process` is one that is about to stop */
export function readyOr503(checks: Readiness): { status: 'ready'; checks: Record<string, 'ok'> } {
  const failing = failingIn(checks);
  if (failing.length === 0) return { status: 'ready', checks: checks as Record<string, 'ok'> };
  throw new Problem('NOT_READY', message('api.not-ready', { failing }), { members: { checks } });
}
