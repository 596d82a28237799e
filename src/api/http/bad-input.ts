import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { ZodError } from 'zod';
import type { FieldLine } from '../messages/en/fields.js';
import { message } from '../messages/message.js';
import { fieldLines, type Issue } from './field-lines.js';
import { Problem } from './problem.js';
import type { ProblemCode } from './problem-codes.js';

const codeOf: Record<string, ProblemCode> = {
  body: 'INVALID_BODY',
  querystring: 'INVALID_QUERY',
  params: 'INVALID_ID',
  headers: 'IDEMPOTENCY_KEY_INVALID',
};

/** A schema's refusal of a request as a problem that names each field and what would be right; never a value (L60). */
export function badInput(error: FastifyError): Problem | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined;
  const issues = error.validation.map(({ instancePath, keyword, params, message = 'does not fit' }) => ({
    ...(params as Partial<Issue>),
    code: keyword,
    path: instancePath.slice(1).split('/'),
    message,
  }));
  return badFieldsOf(codeOf[error.validationContext ?? 'body'] ?? 'INVALID_BODY', fieldLines(issues));
}

/** The same for the text fields of a photo form. */
export function badFields(error: ZodError): Problem {
  return badFieldsOf('INVALID_BODY', fieldLines(error.issues as readonly Issue[]));
}

function badFieldsOf(code: ProblemCode, fields: FieldLine[]): Problem {
  return new Problem(code, message('api.fields', { lines: fields }), { members: { fields } });
}
