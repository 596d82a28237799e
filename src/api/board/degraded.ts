import { setTimeout as sleep } from 'node:timers/promises';
import type { Instant } from '../../domain/shared/time.js';
import type { Probe } from '../../temporal/client/probes.js';
import { probeWithinMs, readReadiness } from '../operations/readiness.js';

const probeAfterMs = 2_000;
/** A part that is silent does not delay the answer by more: it counts from the answer after it. */
const waitMs = 100;

/** The parts that do not answer, each with its first failed probe; probed every two seconds at most while requests need it. */
export function degradedParts(
  probes: Readonly<Record<string, Probe>>,
  clock: () => Instant,
): () => Promise<ReadonlyMap<string, Instant>> {
  let failing: ReadonlyMap<string, Instant> = new Map();
  let probedAt = Number.NEGATIVE_INFINITY;
  let probing: Promise<void> | undefined;
  const probe = async () => {
    const startedAt = clock();
    const read = await readReadiness(probes, probeWithinMs);
    const failed = Object.keys(read).filter((name) => read[name] !== 'ok');
    failing = new Map(failed.map((name) => [name, failing.get(name) ?? startedAt]));
    probedAt = Date.now();
    probing = undefined;
  };
  return async () => {
    if (Date.now() - probedAt >= probeAfterMs) probing ??= probe();
    if (probing !== undefined) await Promise.race([probing, sleep(waitMs, undefined, { ref: false })]);
    return failing;
  };
}
