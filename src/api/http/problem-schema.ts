import { z } from 'zod';
import { type ProblemCode, problemCodes } from './problem-codes.js';
import { problemMembers } from './problem-members.js';

/** RFC 9457; the codes are listed in `docs/problems.md`. */
const problem = problemMembers
  .extend({
    type: z.string().describe('urn:handover:problem: and the code'),
    title: z.string(),
    status: z.int().describe('The HTTP status'),
    code: z.enum(Object.keys(problemCodes) as [ProblemCode]).describe('Stable; see docs/problems.md'),
    detail: z.string().describe('What is wrong, and what would be right'),
  })
  .meta({ id: 'Problem', description: 'A problem document (RFC 9457)' });

const content = {
  description: 'A problem document',
  content: { 'application/problem+json': { schema: problem } },
};

/** For the `response` of every route. */
export const problems = { '4xx': content, '5xx': content };
