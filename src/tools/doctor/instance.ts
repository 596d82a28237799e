import { z } from 'zod';

/** What a running Handover says of its parts. */
export type Parts = Readonly<Record<string, string>>;

const withinMs = 5_000;
const answer = z.object({ checks: z.record(z.string(), z.string()) });

/** Asks /readyz of a status API. Undefined: none answers there. */
export async function partsOf(api: string): Promise<Parts | undefined> {
  try {
    const response = await fetch(`${api}/readyz`, { signal: AbortSignal.timeout(withinMs) });
    return answer.parse(await response.json()).checks;
  } catch {
    return undefined;
  }
}
