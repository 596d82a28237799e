import type { Problem } from '../api/types.js';

/** A refusal that another reading shows, as the answer to the request would be. */
export function refusalOf({
  code,
  message,
  free,
}: {
  code: string | null;
  message: string | null;
  free?: Problem['free'];
}): Problem {
  const detail = message ?? code ?? '';
  return { code: code ?? 'REFUSED', title: '', status: 409, detail, ...(free && { free }) } as Problem;
}
