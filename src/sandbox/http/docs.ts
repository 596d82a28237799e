import swagger, { type SwaggerTransform } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { jsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { OperationName, PhotoBody, WireProfile } from '../../platform/profile.js';
import { documentedRefusals, refusalsOfControls } from './documented-refusals.js';

const documentOnly = new WeakSet<object>();

/** A photo's multipart body for the document alone: its parts are streamed, not validated as an object. */
export function photoDocument<T>(body: PhotoBody<T>): z.ZodType {
  const file = z.object({
    [body.fileField]: z.file().describe(`${body.types.join(', ')}; at most ${body.maxBytes} bytes`),
  });
  const { fields } = body;
  const schema = fields instanceof z.ZodObject ? file.extend(fields.shape) : file.and(fields);
  documentOnly.add(schema);
  return schema;
}

/** Validates requests by zod, except by schemas that are only for the document. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> = (route) =>
  documentOnly.has(route.schema) ? (value) => ({ value }) : validatorCompiler(route);

/**
 * Schemas of the profile are codecs whose input side is the wire, for answers as well: the document shows the wire,
 * so an answer's schema is taken from the input side too.
 */
const transformFor =
  (profile: WireProfile): SwaggerTransform =>
  (route) => {
    const { response, ...request } = (route.schema ?? {}) as {
      response?: Record<string, unknown>;
      body?: unknown;
    };
    const shown = jsonSchemaTransform({ ...route, schema: request } as never);
    if (typeof request.body === 'object' && request.body !== null && documentOnly.has(request.body)) {
      Object.assign(shown.schema, { consumes: ['multipart/form-data'] });
    }
    const operation = (route.route.config as { operation?: OperationName } | undefined)?.operation;
    if (operation === undefined) {
      const { success = 200 } = (route.route.config ?? {}) as { success?: number };
      const answered = { description: 'Success', ...(success === 204 && { type: 'null' }) };
      const response = { [success]: answered, ...refusalsOfControls(profile) };
      return { ...shown, schema: { ...shown.schema, response } };
    }
    const { success } = profile.operations[operation];
    const empty = { description: 'Success, without a body', type: 'null' };
    const answers = Object.entries(response ?? {}).map(([status, schema]) => {
      const wire = jsonSchemaTransform({ ...route, schema: { body: schema } } as never);
      return [status, { description: 'Success', ...(wire.schema as { body: object }).body }];
    });
    const responses = {
      ...(answers.length === 0 ? { [success.status]: empty } : Object.fromEntries(answers)),
      ...documentedRefusals(profile, operation),
    };
    return { ...shown, schema: { ...shown.schema, response: responses } };
  };

/** Marks the schema of a body that may be left out. */
export const leftOut = { 'x-may-be-left-out': true };

interface Body {
  required?: boolean;
  content: Record<string, { schema?: Record<string, unknown> }>;
}

/** Corrects the plugin, which marks every body as required. */
function withOptionalBodies<D extends { paths?: object }>(document: D): D {
  const paths = Object.values(document.paths ?? {}) as Record<string, { requestBody?: Body }>[];
  for (const body of paths.flatMap((path) => Object.values(path).map(({ requestBody }) => requestBody))) {
    if (body?.content['application/json']?.schema?.['x-may-be-left-out'] === true) body.required = false;
  }
  return document;
}

/** Serves OpenAPI at `/docs/json`, and as a page at `/docs`. */
export async function installDocs(app: FastifyInstance, profile: WireProfile): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Rental-car platform (sandbox)',
        description: `The platform under the wire profile "${profile.name}", and the sandbox's own controls under /sandbox`,
        version: '1.0.0',
      },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      tags: [
        { name: 'platform', description: 'The endpoints of the specification' },
        { name: 'sandbox', description: 'Controls of the sandbox: no part of the platform' },
      ],
    },
    transform: transformFor(profile),
    transformObject: (document) =>
      withOptionalBodies('openapiObject' in document ? document.openapiObject : {}),
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
}
