import { isKorean } from '../texts/is-korean.js';
import type { Problem } from './types.js';

/** Whether this is a problem document of the API; the page of a proxy is none. */
export function isProblem(body: unknown): body is Problem {
  const { code, detail } = (body ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof detail === 'string';
}

/**
 * What stands before the `detail` of a refusal: its `title`, which is in every language, where the reader's is not
 * English and the `detail` is (docs/operations.md, Languages).
 */
export function leadOf({ title, detail }: Pick<Problem, 'title' | 'detail'>, language: string): string {
  return language === 'en' || !title || isKorean(detail) ? '' : `${title}. `;
}

/** A refusal as one text. */
export function explain(problem: Problem, language: string): string {
  return leadOf(problem, language) + problem.detail;
}

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
