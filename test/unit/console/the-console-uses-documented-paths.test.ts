import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints, type WriteEndpoint } from '../../../console/api/endpoints.js';
import { startApi } from '../../support/api.js';

const oidc = {
  issuer: 'https://login.example',
  clientId: 'console',
  clientSecret: 'secret',
  roles: [],
  consoleUrl: 'http://127.0.0.1',
};

interface Operation {
  parameters: { name: string; in: string }[];
  responses: Record<string, { content?: Record<string, { schema: { required?: string[] } }> }>;
}

describe('the operations that the console uses', () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  let paths: Record<string, Record<string, Operation>>;
  beforeAll(async () => {
    // the login by a provider is in the document where there is one
    api = await startApi({ oidc });
    paths = ((await (await fetch(`${api.url}/docs/json`)).json()) as { paths: typeof paths }).paths;
  });
  afterAll(() => api.close());

  it.each(Object.entries(endpoints))('%s is in the API document', (_, { method, path }) => {
    expect(paths).toHaveProperty([path, method.toLowerCase()]);
  });

  it('no other file of the console writes an address of the API', async () => {
    const files = readdirSync('console', { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => /\.tsx?$/.test(file));
    expect(sources.length).toBeGreaterThan(100);
    const writing = sources.filter((file) =>
      /['"`]\/api\//.test(readFileSync(join('console', file), 'utf8')),
    );
    expect(writing).toEqual([join('api', 'endpoints.ts')]);
  });

  const operationOf = ({ path, method }: WriteEndpoint<unknown>) =>
    paths[path]?.[method.toLowerCase()] ?? { parameters: [], responses: {} };
  const writes = Object.entries(endpoints).filter(
    (one): one is [(typeof one)[0], WriteEndpoint<unknown>] => 'forms' in one[1],
  );
  it.each(writes)('each success of %s has the member that it is recognised by', (_, write) => {
    const { parameters, responses } = operationOf(write);
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    expect(successes).not.toEqual([]);
    for (const [status, { content }] of successes) {
      const { member, repeats } = status === '202' ? write.forms.open : write.forms.applied;
      expect(content?.['application/json']?.schema.required, status).toContain(member);
      const named = parameters.map(({ name }) => (name === 'idempotency-key' ? 'key' : name));
      if (repeats !== undefined) expect(named, status).toContain(repeats);
    }
  });
});
