import { setTimeout as sleep } from 'node:timers/promises';
import type { Probe } from '../../temporal/client/probes.js';
import { probeWithinMs, type Readiness, readReadiness } from '../operations/readiness.js';

const probeAfterMs = 2_000;
/** A part that is silent does not delay the answer by more: it counts from the answer after it. */
const waitMs = 100;

/** Names of the parts that do not answer, probed every two seconds at most while requests need it. */
export function degradedParts(probes: Readonly<Record<string, Probe>>): () => Promise<string[]> {
  let known: Readiness = {};
  let probedAt = Number.NEGATIVE_INFINITY;
  let probing: Promise<void> | undefined;
  const probe = async () => {
    known = await readReadiness(probes, probeWithinMs);
    probedAt = Date.now();
    probing = undefined;
  };
  return async () => {
    if (Date.now() - probedAt >= probeAfterMs) probing ??= probe();
    if (probing !== undefined) await Promise.race([probing, sleep(waitMs, undefined, { ref: false })]);
    return Object.keys(known).filter((name) => known[name] !== 'ok');
  };
}
