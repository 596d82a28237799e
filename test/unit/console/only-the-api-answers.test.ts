import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadModules, stubPage } from '../../support/page.js';

beforeEach(() => {
  vi.useFakeTimers();
  stubPage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const endpoint = { method: 'PUT', path: '/api/reservations/{id}/dispatch/start' };
const request = { params: { id: 8421 } };
const answers = (body: string | null, status: number) =>
  vi.stubGlobal(
    'fetch',
    async () => new Response(body, { status, headers: { 'content-type': 'text/html' } }),
  );

it.each(['<html>Accept the terms of this network</html>', ''])(
  'a success without the body of the API is no answer: %o',
  async (body) => {
    const [{ Write }] = await loadModules('console/state/write.ts');
    const write = new Write();
    answers(body, 200);
    await write.send(endpoint, request);
    expect(write.outcome.value).toEqual({ is: 'lost' });
    answers('{"sequence":7}', 200);
    await write.repeat();
    expect(write.outcome.value).toEqual({ is: 'applied' });
  },
);

it('204 has no body', async () => {
  const [{ send }] = await loadModules('console/api/client.ts');
  answers(null, 204);
  expect(await send(endpoint, request)).toEqual({ status: 204, body: undefined });
});

it('a reading that fails within the page stops no later one', async () => {
  const [{ Resource }] = await loadModules('console/state/resource.ts');
  const resource = new Resource(
    async () => ({ sequence: 1 }),
    () => {
      throw new TypeError('unexpected');
    },
    0,
  );
  await resource.refresh();
  await expect(resource.refresh()).rejects.toThrow('unexpected');
  await expect(resource.refresh()).rejects.toThrow('unexpected');
});
