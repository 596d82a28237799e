import type { Problem } from '../api/types.js';

/** A refusal that another reading shows, as the answer to the request would be. */
export function refusalOf({ code, message }: { code: string | null; message: string | null }): Problem {
  return { code: code ?? 'REFUSED', title: '', status: 409, detail: message ?? code ?? '' } as Problem;
}
