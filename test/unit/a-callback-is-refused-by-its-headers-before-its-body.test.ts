import { afterEach, expect, it } from 'vitest';
import type { CallbackAuthentication } from '../../src/inbox/receive/authenticity.js';
import { receiver } from '../../src/inbox/receive/receiver.js';
import { startApi, type TestApi } from '../support/api.js';
import { callbackSecret, pathOf, signedHeaders, statusBody, wire } from '../support/callbacks.js';
import { eventually } from '../support/eventually.js';
import { contentHashes } from '../support/intake.js';
import { answerIn, rawConnection } from '../support/raw-http.js';

let api: TestApi;
afterEach(() => api.close());

const body = statusBody(8421, 10);
const path = pathOf('status');
const signed = (headers: Record<string, string> = {}) => ({ ...signedHeaders(body), ...headers });
const { 'webhook-signature': signature = '', ...unsigned } = signedHeaders(body);
const webhooks: CallbackAuthentication = { auth: 'standard-webhooks', secrets: [callbackSecret] };
const bearer: CallbackAuthentication = { auth: 'bearer', secrets: ['a-secret-of-the-platform'] };
const secretPath: CallbackAuthentication = { auth: 'secret-path', secrets: ['a-secret-of-the-platform'] };

interface Refused {
  authentication: CallbackAuthentication;
  headers: Record<string, string>;
  code: string;
  to?: string;
}

it.each<[string, Refused]>([
  ['no signature', { authentication: webhooks, headers: unsigned, code: 'SIGNATURE_MISSING' }],
  [
    'more signatures than one request may have',
    {
      authentication: webhooks,
      headers: signed({ 'webhook-signature': Array(17).fill(signature).join(' ') }),
      code: 'SIGNATURE_MISMATCH',
    },
  ],
  [
    'a signature of six minutes ago',
    {
      authentication: webhooks,
      headers: signedHeaders(body, { at: new Date(Date.now() - 6 * 60_000) }),
      code: 'TIMESTAMP_STALE',
    },
  ],
  [
    'another bearer',
    { authentication: bearer, headers: { authorization: 'Bearer guess' }, code: 'CALLBACK_UNAUTHORIZED' },
  ],
  [
    'another secret in its path',
    { authentication: secretPath, headers: {}, code: 'CALLBACK_UNAUTHORIZED', to: `/guess${path}` },
  ],
])('a request with %s: 401, before a byte of its body came', async (_, refused) => {
  const { authentication, headers, code, to = path } = refused;
  const inbox = { store: async () => expect.fail('it is stored'), isFull: () => false };
  api = await startApi({ intake: (app) => receiver(app, { wire, contentHashes, authentication, inbox }) });
  const sender = await rawConnection(api.url);
  const lines = Object.entries({ host: 'x', 'content-length': '200000', ...headers });
  sender.write(
    [`POST ${to} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n'),
  );
  const answer = await eventually('it is answered', () => {
    const read = answerIn(sender.received);
    return read.status !== 0 && read;
  });
  expect(answer).toMatchObject({ status: 401, body: { code } });
  sender.socket.destroy();
});
