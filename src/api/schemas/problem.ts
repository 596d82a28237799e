import { z } from 'zod';

/** RFC 9457; the codes are listed in `docs/problems.md`. */
const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable; see docs/problems.md'),
    detail: z.string().describe('What is wrong, and what would be right'),
    fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .describe('A problem document');

const content = {
  description: 'A problem document',
  content: { 'application/problem+json': { schema: problem } },
};

/** For the `response` of every route. */
export const problems = { '4xx': content, '5xx': content };
