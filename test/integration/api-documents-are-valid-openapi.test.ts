import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { contraryProfile } from '../profiles/contrary.js';
import { startApi } from '../support/api.js';
import { startTestSandbox, type TestSandbox } from '../support/sandbox.js';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into
type Document = any;

async function documentOf(url: string): Promise<Document> {
  const response = await fetch(`${url}/docs/json`);
  expect(response.status).toBe(200);
  const text = await response.text();
  const result = await new Validator().validate(JSON.parse(text));
  expect(result).toMatchObject({ valid: true });
  return JSON.parse(text);
}

describe.each([defaultProfile, contraryProfile])(
  'the platform’s document under the $name profile',
  (profile) => {
    let sandbox: TestSandbox;
    let document: Document;

    beforeAll(async () => {
      sandbox = await startTestSandbox({ profile });
      document = await documentOf(sandbox.url);
    });
    afterAll(() => sandbox.dispose());

    const operations = Object.entries(profile.operations);
    const documented = (path: string, method: string) => document.paths[path]?.[method.toLowerCase()];

    it.each(operations)(
      'has %s with its key, its answers and its refusals',
      (name, { path, method, success }) => {
        const operation = documented(path, method);
        expect(operation).toMatchObject({ operationId: name, tags: ['platform'], security: [{ key: [] }] });
        const answer = operation.responses[success.status];
        if (success.schema) expect(answer.content['application/json'].schema).toBeTypeOf('object');
        else expect(answer).not.toHaveProperty('content');
        const { status } = profile.errors.encode({ code: 'UNAUTHORIZED', message: '' });
        expect(operation.responses[status].description).toContain('UNAUTHORIZED');
      },
    );

    it('shows a photo’s multipart parts: the file and the text fields beside it', () => {
      const { content } = documented(
        '/developer/v1/reservation/{id}/dispatch/parkingImage',
        'POST',
      ).requestBody;
      const { properties, required } = content['multipart/form-data'].schema;
      expect(Object.keys(properties)).toEqual(['image', 'parkingMemo', 'parkingLotType']);
      expect(properties.image).toMatchObject({ type: 'string', format: 'binary' });
      expect(required).toEqual(['image']);
    });

    it('names E011 and E012 where the specification has them, in the form of the profile', () => {
      const { status, body } = profile.errors.encode({
        code: 'E012',
        message: 'what is wrong, and what would be right',
      });
      const refusals = documented('/schedule/{id}', 'PUT').responses[status];
      expect(refusals.description).toMatch(/E011.*E012/);
      expect(refusals.content['application/json'].examples.E012.value).toEqual(body);
    });
  },
);

/** Where `schema` accepts text with a NUL, which no database stores, by its own definition. */
function textsWithNul(schema: Document, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, pattern, format, enum: values, const: value } = schema;
  const isClosed = format !== undefined || values !== undefined || value !== undefined;
  const takesNul = pattern === undefined || new RegExp(pattern, 'u').test('a\0a');
  if (type === 'string' && !isClosed && takesNul) return [place];
  return Object.entries(schema).flatMap(([name, inner]) => textsWithNul(inner, `${place}.${name}`));
}

it('the platform’s document states for every text of a request that it holds no NUL', async () => {
  const sandbox = await startTestSandbox();
  try {
    const { paths } = await documentOf(sandbox.url);
    const requests = Object.entries<Document>(paths).flatMap(([path, methods]) =>
      Object.entries<Document>(methods).flatMap(([method, { parameters = [], requestBody }]) =>
        textsWithNul([...parameters.map(({ schema }: Document) => schema), requestBody], `${method} ${path}`),
      ),
    );
    expect(requests).toEqual([]);
  } finally {
    await sandbox.dispose();
  }
});

it('the status API’s document is valid', async () => {
  const api = await startApi();
  try {
    expect(Object.keys((await documentOf(api.url)).paths)).toContain('/api/reservations');
  } finally {
    await api.close();
  }
});
