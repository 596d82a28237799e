import type { FastifyReply } from 'fastify';
import { type ProblemCode, problemCodes } from './problem-codes.js';
import type { ProblemMembers } from './problem-members.js';

/**
 * A refusal to a caller (RFC 9457). `detail` explains to a person what is wrong and what would be right, without
 * personal data (L60). `members` are further fields of the document; `status` replaces the code's own.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly extra: {
      members?: ProblemMembers;
      headers?: Record<string, string>;
      status?: number;
    } = {},
  ) {
    super(detail);
    this.status = extra.status ?? problemCodes[code].status;
  }
}

/** Answers with the problem document (`application/problem+json`). */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.extra.headers ?? {})
    .type('application/problem+json')
    .send(JSON.stringify(problemDocument(problem)));
}

/** The document of a refusal. */
export function problemDocument({ code, status, detail, extra }: Problem): Record<string, unknown> {
  return {
    type: `urn:handover:problem:${code}`,
    title: problemCodes[code].title,
    status,
    code,
    detail,
    ...extra.members,
  };
}
