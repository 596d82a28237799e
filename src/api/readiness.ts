import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiDeps } from './deps.js';

export type Readiness = Record<string, 'ok' | 'failing'>;

/** Asks every part at once; one that does not answer within `withinMs` counts as failing. */
export async function readiness(probes: ApiDeps['probes'], withinMs: number): Promise<Readiness> {
  const asked = Object.entries(probes).map(
    async ([name, probe]) => [name, await ask(probe, withinMs)] as const,
  );
  return Object.fromEntries(await Promise.all(asked));
}

async function ask(probe: () => Promise<unknown>, withinMs: number): Promise<'ok' | 'failing'> {
  const timer = new AbortController();
  const late = sleep(withinMs, 'failing' as const, { signal: timer.signal }).catch(() => 'failing' as const);
  try {
    const answered = Promise.resolve()
      .then(probe)
      .then(
        () => 'ok' as const,
        () => 'failing' as const,
      );
    return await Promise.race([answered, late]);
  } finally {
    timer.abort();
  }
}
