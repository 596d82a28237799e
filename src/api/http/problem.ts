import type { FastifyReply } from 'fastify';
import type { Sentence } from '../../domain/shared/message.js';
import type { FieldLine } from '../messages/en/fields.js';
import { type Language, languages } from './language.js';
import { type ProblemCode, problemCodes } from './problem-codes.js';
import type { ProblemMembers } from './problem-members.js';
import { problemTitlesKo } from './problem-titles-ko.js';
import { rendered, sentencesIn, setLanguage } from './sentences.js';

/** As in the document, with sentences that are not rendered yet. */
type Members = Omit<ProblemMembers, 'fields'> & { fields?: readonly FieldLine[] | undefined };

/**
 * A refusal to a caller (RFC 9457). `detail` explains to a person what is wrong and what would be right, without
 * personal data (L60). `members` are further fields of the document; `status` replaces the code's own.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  constructor(
    readonly code: ProblemCode,
    readonly detail: Sentence,
    readonly extra: {
      members?: Members;
      headers?: Record<string, string>;
      status?: number;
    } = {},
  ) {
    super(sentencesIn(languages[0], 0)(detail));
    this.status = extra.status ?? problemCodes[code].status;
  }
}

/** Answers with the problem document (`application/problem+json`). */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const language = setLanguage(reply);
  return reply
    .code(problem.status)
    .headers(problem.extra.headers ?? {})
    .type('application/problem+json')
    .send(JSON.stringify(problemDocument(problem, language)));
}

/** The document of a refusal, in one language as far as its sentences have codes. */
export function problemDocument(
  { code, status, detail, extra }: Problem,
  language: Language = languages[0],
): Record<string, unknown> {
  // no refusal has a time in it
  const render = sentencesIn(language, 0);
  const { fields, ...members } = extra.members ?? {};
  return {
    type: `urn:handover:problem:${code}`,
    title: language === 'ko' ? problemTitlesKo[code] : problemCodes[code].title,
    status,
    code,
    detail: render(detail),
    ...(fields && { fields: rendered(fields, render) }),
    ...members,
  };
}
