import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../console/api/endpoints.js';
import { startApi } from '../../support/api.js';

describe('the operations that the console uses', () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  let paths: Record<string, Record<string, unknown>>;
  beforeAll(async () => {
    api = await startApi();
    paths = ((await (await fetch(`${api.url}/docs/json`)).json()) as { paths: typeof paths }).paths;
  });
  afterAll(() => api.close());

  it.each(Object.entries(endpoints))('%s is in the API document', (_, { method, path }) => {
    expect(paths).toHaveProperty([path, method.toLowerCase()]);
  });
});
