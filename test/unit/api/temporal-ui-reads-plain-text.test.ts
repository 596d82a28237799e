import { randomBytes } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseError } from '../../../src/store/connection/errors.js';
import { createCodec } from '../../../src/temporal/codec.js';
import { startApi, type TestApi } from '../../support/api.js';

const token = 'codec-token-of-the-test';
const ui = 'http://127.0.0.1:8233';
const key = { id: 'k1', key: randomBytes(32) };
const codec = createCodec([key]);
let api: TestApi;
beforeAll(async () => {
  const decode = (payloads: Payload[]) => codec.decode(payloads);
  const subjectOf = ({ metadata }: Payload) =>
    metadata?.about == null ? undefined : Buffer.from(metadata.about).toString();
  api = await startApi({ codec: { token, uiOrigins: [ui, 'http://localhost:8233'], decode, subjectOf } });
});
afterAll(() => api?.close());

const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');
const plain = { metadata: { encoding: base64('json/plain') }, data: base64('"Gil-dong Hong"') };
async function encrypted(by = codec) {
  const [payload] = await by.encode([
    { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"Gil-dong Hong"') },
  ]);
  const metadata = Object.entries(payload?.metadata ?? {}).map(([name, value]) => [name, base64(value)]);
  return { metadata: Object.fromEntries(metadata), data: base64(payload?.data ?? '') };
}
const decode = (json: unknown, { by = token, origin }: { by?: string; origin?: string } = {}) =>
  api.ask(`/codec/${by}/decode`, {
    method: 'POST',
    json,
    headers: { 'x-namespace': 'default', ...(origin !== undefined && { origin }) },
  });
const preflight = (origin: string, by = token) =>
  api.ask(`/codec/${by}/decode`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-namespace',
    },
  });
const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('the codec endpoint', () => {
  it('gives plain text to Temporal UI, encrypted or not, in order', async () => {
    const other = { metadata: { encoding: base64('json/plain') }, data: base64('1') };
    const { status, body, headers } = await decode({ payloads: [await encrypted(), other] }, { origin: ui });
    expect({ status, body }).toEqual({ status: 200, body: { payloads: [plain, other] } });
    expect(headers.get('access-control-allow-origin')).toBe(ui);
    expect(headers.get('vary')).toBe('Origin');
  });

  it('allows requests from the UI’s pages, with the headers that the UI sends', async () => {
    const { status, headers } = await preflight('http://localhost:8233');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:8233');
    expect(headers.get('access-control-allow-methods')).toBe('POST');
    expect(headers.get('access-control-allow-headers')).toBe('content-type, x-namespace');
  });

  it('requires only the token from programs that are no page', async () => {
    expect((await decode({ payloads: [await encrypted()] })).body).toEqual({ payloads: [plain] });
  });

  it('L60: the audit has what was read, each reservation once; without that entry nothing is shown', async () => {
    const about = (subject: string) => ({
      ...plain,
      metadata: { ...plain.metadata, about: base64(subject) },
    });
    const payloads = [about('reservation/17'), plain, about('reservation/17'), about('booking/b-1')];
    expect((await decode({ payloads })).status).toBe(200);
    expect(api.parts.audited).toMatchObject([
      { by: 'codec endpoint', action: 'codec.read', subject: 'reservation/17' },
      { by: 'codec endpoint', action: 'codec.read', subject: 'booking/b-1' },
    ]);
    const before = api.parts.onAudit;
    api.parts.onAudit = () => Promise.reject(new DatabaseError('DATABASE_SILENT', 'away'));
    const { status, text } = await decode({ payloads });
    api.parts.onAudit = before;
    expect(status).toBe(503);
    expect(text).not.toContain(plain.data);
  });

  it('answers a wrong token as a path that does not exist', async () => {
    const nowhere = await api.ask('/nowhere', { method: 'POST', json: {} });
    for (const answer of [
      await decode({ payloads: [plain] }, { by: 'wrong' }),
      await decode({ payloads: [plain] }, { by: 'wrong', origin: ui }),
      await decode('not even a body', { by: `${token}x` }),
      await preflight(ui, 'wrong'),
    ]) {
      expect(answer).toMatchObject({ status: 404, text: nowhere.text });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it.each(['https://evil.example', 'http://127.0.0.1:8234', 'http://127.0.0.1:8233.evil.example', 'null'])(
    'refuses a page of %s, also at the preflight',
    async (origin) => {
      for (const answer of [
        await decode({ payloads: [await encrypted()] }, { origin }),
        await preflight(origin),
      ]) {
        expect(code(answer)).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
    },
  );

  it('names the missing key and the damaged payload, in a form that the UI can read', async () => {
    const foreign = await encrypted(createCodec([{ id: 'k9', key: randomBytes(32) }]));
    const unknown = await decode({ payloads: [foreign] }, { origin: ui });
    expect(code(unknown)).toEqual([422, 'CODEC_KEY_UNKNOWN']);
    expect(unknown.body.detail).toContain('"k9"');
    expect(unknown.headers.get('access-control-allow-origin')).toBe(ui);
    const damaged = { ...(await encrypted()), data: base64('cut') };
    expect(code(await decode({ payloads: [damaged] }))).toEqual([422, 'CODEC_PAYLOAD_DAMAGED']);
  });

  it('refuses invalid bodies', async () => {
    expect(code(await decode({ payloads: 'x' }))).toEqual([400, 'INVALID_BODY']);
    expect(code(await decode({ payloads: [{ data: '%' }] }))).toEqual([400, 'INVALID_BODY']);
    const large = await decode({ payloads: [{ data: 'A'.repeat(4 * 1024 * 1024) }] });
    expect(code(large)).toEqual([413, 'BODY_TOO_LARGE']);
    expect(large.body.detail).toContain('4 MiB');
  });

  it('never logs its token', () => {
    expect(api.logged.join('')).toContain('/codec/:token/decode');
    expect(api.logged.join('')).not.toContain(token);
  });
});

it('exists only where it is configured', async () => {
  const without = await startApi();
  try {
    const answer = await without.ask(`/codec/${token}/decode`, { method: 'POST', json: { payloads: [] } });
    expect(code(answer)).toEqual([404, 'ROUTE_NOT_FOUND']);
  } finally {
    await without.close();
  }
});
