import { expect, it } from 'vitest';
import { createServer } from '../../src/api/http/server.js';
import { TrustedSenders } from '../../src/api/http/trusted-senders.js';
import { loadConfig } from '../../src/app/config/index.js';
import { createLogger } from '../../src/app/log.js';
import { createMetrics } from '../../src/app/metrics/process.js';
import { receiver } from '../../src/inbox/receive/receiver.js';
import { SampledLog } from '../../src/inbox/sampled-log.js';
import { databaseErrorCode } from '../../src/store/connection/errors.js';
import { callbackSecret, pathOf, wire } from '../support/callbacks.js';
import { contentHashes } from '../support/intake.js';

it('the first refusal of a kind is logged, then one a minute with the number that it represents', () => {
  const lines: unknown[] = [];
  let now = 0;
  const log = new SampledLog({ warn: (line: unknown) => void lines.push(line), error: () => {} }, () => now);
  for (let second = 0; second <= 120; second++) {
    now = second * 1_000;
    log.logRefused('SIGNATURE_MISMATCH', { channel: 'status' });
  }
  log.logRefused('SIGNATURE_MISSING', { channel: 'car' });
  expect(lines).toEqual([
    { code: 'SIGNATURE_MISMATCH', channel: 'status' },
    { code: 'SIGNATURE_MISMATCH', channel: 'status', othersSince: 59 },
    { code: 'SIGNATURE_MISMATCH', channel: 'status', othersSince: 59 },
    { code: 'SIGNATURE_MISSING', channel: 'car' },
  ]);
});

it('callbacks that could not be stored are one error line, then one a minute, and a server that gave no answer is named', () => {
  const lines: unknown[] = [];
  let now = 0;
  const log = new SampledLog({ warn: () => {}, error: (line: unknown) => void lines.push(line) }, () => now);
  for (let second = 0; second <= 60; second++) {
    now = second * 1_000;
    log.logNotStored(
      databaseErrorCode(new Error('Failed query', { cause: new Error('Query read timeout') })),
    );
  }
  log.logNotStored('ECONNREFUSED');
  expect(lines).toEqual([
    { code: 'DATABASE_SILENT' },
    { code: 'DATABASE_SILENT', othersSince: 59 },
    { code: 'ECONNREFUSED' },
  ]);
});

it.each([
  ['the peer', '203.0.113.9', '198.51.100.7', '203.0.113.9'],
  ['the sender behind a known proxy', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
])(
  'the log line names %s, and redaction does not remove it',
  async (_, remoteAddress, forwardedFor, from) => {
    const lines: unknown[] = [];
    const log = createLogger('warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
    const app = createServer({ log, metrics: createMetrics() });
    await app.register(receiver, {
      wire,
      contentHashes,
      senders: new TrustedSenders(loadConfig({ CALLBACK_PROXIES: '10.0.0.0/8' }).callbacks.senders),
      inbox: { store: async () => {}, isFull: () => false },
      authentication: { auth: 'standard-webhooks', secrets: [callbackSecret] },
    });
    const headers = { 'x-forwarded-for': forwardedFor };
    const refused = await app.inject({
      method: 'POST',
      url: pathOf('status'),
      remoteAddress,
      headers,
      body: '{}',
    });
    expect(refused.statusCode).toBe(401);
    expect(lines).toMatchObject([{ code: 'SIGNATURE_MISSING', channel: 'status', from }]);
    await app.close();
  },
);
