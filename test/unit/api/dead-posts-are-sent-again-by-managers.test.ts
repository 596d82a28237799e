import { afterEach, beforeEach, expect, it } from 'vitest';
import { outboxList, resent } from '../../../src/api/outbox/schemas.js';
import { startApi, type TestApi } from '../../support/api.js';

const reason = 'the receiver is repaired';
let api: TestApi;
beforeEach(async () => {
  api = await startApi();
  const post = { destination: 'forward' as const, key: 'reservation-1', createdAt: Date.UTC(2026, 10, 21) };
  api.parts.posts = [
    { ...post, id: 8, messageId: 'm-8', state: 'waiting', failures: 0, lastError: null, deadAt: null },
    {
      ...post,
      id: 7,
      messageId: 'm-7',
      state: 'dead',
      failures: 12,
      lastError: 'HTTP_422',
      deadAt: Date.UTC(2026, 10, 21, 1),
    },
  ];
});
afterEach(() => api.close());

const resend = (path: string, json: object, as: 'viewer' | 'staff' | 'manager' = 'manager') =>
  api.ask(path, { method: 'POST', as, json });

it('each role sees waiting posts and posts that were given up, without any body', async () => {
  const { status, body } = await api.ask('/api/outbox?state=dead&destination=forward', { as: 'viewer' });
  expect(status).toBe(200);
  expect(outboxList.strict().parse(body)).toEqual(body);
  expect(body.items[1]).toMatchObject({ id: 7, state: 'dead', lastError: 'HTTP_422' });
  expect(api.parts.filters).toEqual([{ state: 'dead', destination: 'forward', limit: 100 }]);
  expect((await api.ask('/api/outbox?state=gone', { as: 'viewer' })).body.code).toBe('INVALID_QUERY');
});

it('a manager resends one post with a reason; a waiting or deleted post is refused', async () => {
  const { status, body } = await resend('/api/outbox/7/resend', { reason });
  expect([status, body]).toEqual([202, { posts: [7] }]);
  expect(resent.strict().parse(body)).toEqual(body);
  expect(api.parts.resends).toMatchObject([{ selection: { id: 7 }, reason }]);
  const code = async (path: string) => {
    const answer = await resend(path, { reason });
    return [answer.status, answer.body.code];
  };
  expect(await code('/api/outbox/8/resend')).toEqual([409, 'OUTBOX_POST_WAITING']);
  expect(await code('/api/outbox/9/resend')).toEqual([404, 'OUTBOX_POST_NOT_FOUND']);
  expect((await resend('/api/outbox/7/resend', {})).body.code).toBe('INVALID_BODY');
});

it('a manager resends all posts, or those to one destination', async () => {
  expect((await resend('/api/outbox/resend', { reason, destination: 'forward' })).body).toEqual({
    posts: [7],
  });
  expect((await resend('/api/outbox/resend', { reason })).status).toBe(202);
  expect(api.parts.resends).toMatchObject([{ selection: { destination: 'forward' } }, { selection: {} }]);
});

it.each(['viewer', 'staff'] as const)('a %s may not resend posts', async (role) => {
  for (const path of ['/api/outbox/7/resend', '/api/outbox/resend'])
    expect((await resend(path, { reason }, role)).body.code).toBe('ROLE_NOT_ALLOWED');
  expect(api.parts.resends).toEqual([]);
});

it('L21: the Idempotency-Key reaches the resend, and one that stands for another request is refused', async () => {
  const send = (path: string, key: string) =>
    api.ask(path, { method: 'POST', as: 'manager', key, json: { reason } });
  for (const path of ['/api/outbox/7/resend', '/api/outbox/resend', '/api/inbox/17/replay']) {
    expect((await send(path, 'key-1')).status).toBe(202);
    const { status, body } = await send(path, api.parts.reusedKey);
    expect([status, body.code]).toEqual([409, 'COMMAND_ID_REUSED']);
  }
  expect(api.parts.resends.slice(-2)).toMatchObject([{ commandId: 'key-1' }, { commandId: 'key-1' }]);
  expect(api.parts.replays.at(-1)).toMatchObject({ commandId: 'key-1' });
});
