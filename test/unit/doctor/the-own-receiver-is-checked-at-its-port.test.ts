import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/app/config/index.js';
import { defaultProfile } from '../../../src/platform/profiles/default/index.js';
import { checkCallbacks } from '../../../src/tools/doctor/callbacks.js';
import { callbackSecret } from '../../support/callbacks.js';
import { answering, httpPeer } from '../../support/http-peer.js';

const portOf = ({ url }: { url: string }) => new URL(url).port;

it.each([
  ['at the port of the status API', false],
  ['at CALLBACK_PORT, where callbacks have a port of their own', true],
])('the receiver of a Handover that runs here is checked %s', async (_, isApart) => {
  const receiver = await httpPeer((response, { headers }) =>
    answering(401, { code: 'webhook-id' in headers ? 'TIMESTAMP_STALE' : 'SIGNATURE_MISSING' })(
      response,
      {} as never,
    ),
  );
  const statusApi = await httpPeer(answering(404, { code: 'NOT_FOUND' }));
  const config = loadConfig({
    CALLBACK_SECRETS: callbackSecret,
    HANDOVER_PORT: portOf(isApart ? statusApi : receiver),
    ...(isApart && { CALLBACK_PORT: portOf(receiver) }),
  });
  const found = [];
  for await (const finding of checkCallbacks(config, defaultProfile, {
    publicUrl: undefined,
    isRunning: true,
  }))
    found.push(finding);
  expect(found.filter(({ result }) => result === 'fail')).toEqual([]);
  expect(found).toContainEqual(expect.objectContaining({ check: `${receiver.url}: secret 1`, result: 'ok' }));
  expect(statusApi.requests).toEqual([]);
});
