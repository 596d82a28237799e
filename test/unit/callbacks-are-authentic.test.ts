import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authenticate, authenticateHead } from '../../src/inbox/receive/authenticity.js';
import { callbackSecret, signedHeaders } from '../support/callbacks.js';

const now = Date.parse('2026-11-21T09:00:00Z');
const body = '{"reservationId":1,"name":"홍길동"}';
const other = `whsec_${Buffer.from('another secret, also long enough').toString('base64')}`;
const standard = (secrets: string[]) => ({ auth: 'standard-webhooks' as const, secrets });
const sign = (sent: { secret?: string; at?: number; id?: string } = {}) => ({
  raw: Buffer.from(body),
  headers: signedHeaders(body, { ...sent, at: new Date(sent.at ?? now) }),
});

describe('Standard Webhooks (G32)', () => {
  it('accepts what the standardwebhooks package signs', () => {
    expect(authenticate(sign(), standard([callbackSecret]), now)).toBeNull();
  });

  it('accepts any of several secrets, and any of several signatures (rotation)', () => {
    expect(authenticate(sign({ secret: other }), standard([callbackSecret, other]), now)).toBeNull();
    const request = sign();
    const both = `v1a,AAAA v1,AAAA ${request.headers['webhook-signature']}`;
    const headers = { ...request.headers, 'webhook-signature': both };
    expect(authenticate({ ...request, headers }, standard([other, callbackSecret]), now)).toBeNull();
  });

  it('refuses another secret, and every secret where none is configured', () => {
    expect(authenticate(sign({ secret: other }), standard([callbackSecret]), now)).toBe('SIGNATURE_MISMATCH');
    expect(authenticate(sign(), standard([]), now)).toBe('SIGNATURE_MISMATCH');
  });

  it('refuses every change of the bytes, the id or the timestamp', () => {
    const request = sign({ id: 'msg_1' });
    fc.assert(
      fc.property(fc.nat(request.raw.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const raw = Buffer.from(request.raw);
        raw.writeUInt8(raw.readUInt8(at) ^ change, at);
        expect(authenticate({ ...request, raw }, standard([callbackSecret]), now)).toBe('SIGNATURE_MISMATCH');
      }),
    );
    for (const change of [{ 'webhook-id': 'msg_2' }, { 'webhook-timestamp': String(now / 1000 + 1) }]) {
      const headers = { ...request.headers, ...change };
      expect(authenticate({ ...request, headers }, standard([callbackSecret]), now)).toBe(
        'SIGNATURE_MISMATCH',
      );
    }
  });

  it('refuses a timestamp more than five minutes from now, before or after, or none that is a number', () => {
    const minutes = 60_000;
    for (const at of [now - 5 * minutes, now + 5 * minutes]) {
      expect(authenticate(sign({ at }), standard([callbackSecret]), now)).toBeNull();
    }
    for (const at of [now - 5 * minutes - 1000, now + 5 * minutes + 1000]) {
      expect(authenticate(sign({ at }), standard([callbackSecret]), now)).toBe('TIMESTAMP_STALE');
    }
    const request = sign();
    const headers = { ...request.headers, 'webhook-timestamp': 'yesterday' };
    expect(authenticate({ ...request, headers }, standard([callbackSecret]), now)).toBe('TIMESTAMP_STALE');
  });

  it('F85: an old request shows whether the secret is right', () => {
    const at = now - 24 * 3_600_000;
    expect(authenticate(sign({ at }), standard([callbackSecret]), now)).toBe('TIMESTAMP_STALE');
    expect(authenticate(sign({ at, secret: other }), standard([callbackSecret]), now)).toBe(
      'SIGNATURE_MISMATCH',
    );
  });

  it('reports a missing signature where a header is missing', () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const request = sign();
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([key]) => key !== name));
      expect(authenticate({ ...request, headers }, standard([callbackSecret]), now)).toBe(
        'SIGNATURE_MISSING',
      );
    }
  });

  it('L63: accepts signed bytes that are no text', () => {
    const raw = Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]);
    const timestamp = String(now / 1000);
    const key = Buffer.from(callbackSecret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.`).update(raw).digest('base64');
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    expect(authenticate({ raw, headers }, standard([callbackSecret]), now)).toBeNull();
  });

  it('never throws, whatever the headers hold', () => {
    const header = fc.option(fc.string(), { nil: undefined });
    fc.assert(
      fc.property(header, header, header, fc.uint8Array(), (id, at, signature, bytes) => {
        const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature };
        expect(
          authenticate({ raw: Buffer.from(bytes), headers }, standard([callbackSecret]), now),
        ).not.toBeNull();
      }),
    );
  });
});

describe('the other modes', () => {
  const secrets = ['first-secret-of-16-letters', 'second-secret-of-16-letters'];
  const raw = Buffer.from(body);

  it('bearer: one of the secrets as Authorization header', () => {
    const how = { auth: 'bearer' as const, secrets };
    const send = (authorization?: string) => authenticate({ raw, headers: { authorization } }, how, now);
    expect(send(`Bearer ${secrets[1]}`)).toBeNull();
    for (const wrong of [undefined, '', 'Bearer', 'Bearer first', `Basic ${secrets[0]}`, secrets[0]]) {
      expect(send(wrong)).toBe('CALLBACK_UNAUTHORIZED');
    }
  });

  it('secret-path: one of the secrets in the path', () => {
    const how = { auth: 'secret-path' as const, secrets };
    expect(
      authenticate({ raw, headers: {}, pathSecret: 'second-secret-of-16-letters' }, how, now),
    ).toBeNull();
    expect(authenticate({ raw, headers: {}, pathSecret: 'events' }, how, now)).toBe('CALLBACK_UNAUTHORIZED');
    expect(authenticate({ raw, headers: {} }, how, now)).toBe('CALLBACK_UNAUTHORIZED');
  });

  it('none: accepts everything', () => {
    expect(authenticate({ raw, headers: {} }, { auth: 'none', secrets: [] }, now)).toBeNull();
  });
});

describe('a decision by the headers alone', () => {
  const head = (changes: Record<string, string> = {}, sent: { at?: number } = {}) =>
    authenticateHead(
      { headers: { 'content-length': '500', ...sign(sent).headers, ...changes } },
      standard([callbackSecret]),
      now,
    );

  it('a signed request needs its body, of whatever secret', () => {
    expect(head()).toBe('body decides');
    expect(head({ 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` })).toBe('body decides');
    expect(authenticateHead({ headers: {} }, { auth: 'none', secrets: [] }, now)).toBe('body decides');
  });

  it('a request without a signature, with a malformed one or with too many is refused', () => {
    expect(head({ 'webhook-signature': '' })).toBe('SIGNATURE_MISSING');
    expect(head({ 'webhook-id': '' })).toBe('SIGNATURE_MISSING');
    for (const signature of ['v1,AAAA', `v1a,${'A'.repeat(44)}`, 'nonsense'])
      expect(head({ 'webhook-signature': signature })).toBe('SIGNATURE_MISMATCH');
    const right = sign().headers['webhook-signature'] ?? '';
    expect(head({ 'webhook-signature': Array(16).fill(right).join(' ') })).toBe('body decides');
    expect(head({ 'webhook-signature': Array(17).fill(right).join(' ') })).toBe('SIGNATURE_MISMATCH');
  });

  it('F85: an old request is refused, unless it is so small that it only proves a secret', () => {
    const at = now - 6 * 60_000;
    expect(head({}, { at })).toBe('TIMESTAMP_STALE');
    expect(head({ 'webhook-timestamp': 'yesterday' })).toBe('TIMESTAMP_STALE');
    expect(head({ 'content-length': '2' }, { at })).toBe('body decides');
  });

  it('a bearer and a secret path prove the sender, or are refused', () => {
    const secret = 'a-secret-of-16-letters';
    const bearer = { auth: 'bearer' as const, secrets: [secret] };
    const secretPath = { auth: 'secret-path' as const, secrets: [secret] };
    expect(authenticateHead({ headers: { authorization: `Bearer ${secret}` } }, bearer, now)).toBe('proven');
    expect(authenticateHead({ headers: { authorization: 'Bearer other' } }, bearer, now)).toBe(
      'CALLBACK_UNAUTHORIZED',
    );
    expect(authenticateHead({ headers: {}, pathSecret: secret }, secretPath, now)).toBe('proven');
    expect(authenticateHead({ headers: {} }, secretPath, now)).toBe('CALLBACK_UNAUTHORIZED');
  });
});
