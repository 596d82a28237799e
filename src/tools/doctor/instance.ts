import { z } from 'zod';

/** State of the parts of a running Handover, by name. */
export type Parts = Readonly<Record<string, string>>;

const withinMs = 5_000;
const answer = z.object({ checks: z.record(z.string(), z.string()) });

/** Reads /readyz of a status API; undefined where none answers. */
export async function readParts(api: string): Promise<Parts | undefined> {
  try {
    const response = await fetch(`${api}/readyz`, { signal: AbortSignal.timeout(withinMs) });
    return answer.parse(await response.json()).checks;
  } catch {
    return undefined;
  }
}
