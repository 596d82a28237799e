import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { ZodError } from 'zod';
import { message } from '../messages/message.js';
import { Problem } from './problem.js';
import type { ProblemCode } from './problem-codes.js';

interface FieldProblem {
  /** Dotted path, such as `driver.phone`; empty for the whole. */
  field: string;
  message: string;
}

const codeOf: Record<string, ProblemCode> = {
  body: 'INVALID_BODY',
  querystring: 'INVALID_QUERY',
  params: 'INVALID_ID',
  headers: 'IDEMPOTENCY_KEY_INVALID',
};

/** A schema's refusal of a request as a problem that names each field and what would be right; never a value (L60). */
export function badInput(error: FastifyError): Problem | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined;
  const fields = error.validation.map(({ instancePath, message = 'does not fit' }) => ({
    field: instancePath.slice(1).replaceAll('/', '.'),
    message,
  }));
  return fieldProblems(codeOf[error.validationContext ?? 'body'] ?? 'INVALID_BODY', fields);
}

/** The same for the text fields of a photo form. */
export function badFields(error: ZodError): Problem {
  const fields = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  return fieldProblems('INVALID_BODY', fields);
}

function fieldProblems(code: ProblemCode, fields: FieldProblem[]): Problem {
  const lines = fields.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  return new Problem(code, message('api.fields', { lines }), { members: { fields } });
}
