import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldLines } from '../../../src/api/http/field-lines.js';
import { sentencesIn } from '../../../src/api/http/sentences.js';
import { timestamp } from '../../../src/platform/profiles/codecs/timestamp.js';
import { birth, integerAsText, phone, text } from '../../../src/platform/profiles/codecs/values.js';
import { type Ask, fullView, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  api.parts.views.set(8421, fullView(8421));
});
afterAll(() => api.close());

const isRefusal = (status: number) => status >= 400 && status < 500;
const koreanSentence = /[가-힣](\(.*\))?$/;
const ask = (path: string, given: Ask, language: string) =>
  api.ask(path, { as: 'manager', ...given, headers: { ...given.headers, 'accept-language': language } });

const post = (json: unknown): Ask => ({ method: 'POST', key: 'k-1', json });
const put = (json: unknown): Ask => ({ method: 'PUT', key: 'k-1', json });
const hold = {
  carId: 31,
  startAt: '2026-11-21T09:00:00+09:00',
  endAt: '2026-11-22T09:00:00+09:00',
  reason: 'x',
};
const staff = '/api/reservations/8421/dispatch/staff';

const cases: [path: string, ask: Ask, field: string, english: string, korean: string][] = [
  [
    '/api/reservations/0',
    {},
    'id',
    'expected a whole number from 1 to 2^53-1, such as 8421',
    '8421과 같은 1 이상 2^53-1 이하의 정수여야 합니다',
  ],
  [
    '/api/reservations?limit=501',
    {},
    'limit',
    'expected a whole number from 1 to 500',
    '1 이상 500 이하의 정수여야 합니다',
  ],
  [
    '/api/reservations?closed=yes',
    {},
    'closed',
    'expected true or false',
    'true 또는 false 중 하나여야 합니다',
  ],
  [
    '/api/reservations?since=now',
    {},
    'since',
    "expected yyyy-MM-dd'T'HH:mm:ss.SSS with an offset: +0900, +09:00 or Z",
    "yyyy-MM-dd'T'HH:mm:ss.SSS 형식에 시간대(+0900, +09:00 또는 Z)가 있어야 합니다",
  ],
  [
    '/api/reservations?closed=true&q=1',
    {},
    'q',
    'expected closed=false, or none',
    'closed=false와 함께 보내거나 빼야 합니다',
  ],
  [
    '/api/findings?state=none',
    {},
    'state',
    'expected one of seen, open, adopted, gone',
    '다음 중 하나여야 합니다(seen, open, adopted, gone)',
  ],
  [
    '/api/inbox?cursor=abc',
    {},
    'cursor',
    'expected nextCursor of an earlier answer',
    '이전 응답의 nextCursor여야 합니다',
  ],
  [
    staff,
    put({ staffName: ' ', staffPhone: '1' }),
    'staffName',
    'expected text, not blanks, without control characters',
    '공백만으로는 안 되며, 제어 문자가 없는 글이어야 합니다',
  ],
  [
    staff,
    put({ staffName: 'A'.repeat(101), staffPhone: '1' }),
    'staffName',
    'expected at most 100 characters',
    '100자 이하여야 합니다',
  ],
  [
    staff,
    put({ staffName: 'A', staffPhone: '010-1' }),
    'staffPhone',
    'expected digits only, without -',
    '- 없이 숫자만 있어야 합니다',
  ],
  [
    staff,
    put({ staffPhone: '1' }),
    'staffName',
    'Invalid input: expected string, received undefined',
    '문자열이어야 합니다',
  ],
  [
    staff,
    put({ staffName: 'A', staffPhone: '1', extra: 1 }),
    '',
    'Unrecognized key: "extra"',
    '알 수 없는 필드가 없어야 합니다(extra)',
  ],
  [
    '/api/reservations/8421/dispatch/start',
    put({ override: true }),
    'reason',
    'expected a reason with override: true',
    'override: true에는 사유가 있어야 합니다',
  ],
  [
    '/api/reservations/8421/dispatch/start',
    { method: 'PUT', json: {} },
    'idempotency-key',
    'expected the header on every write: a new UUID for a new action, the same one to repeat it',
    '모든 쓰기 요청에 이 헤더가 있어야 합니다. 새 작업에는 새 UUID를, 반복에는 같은 UUID를 보내야 합니다',
  ],
  [
    `/api/reservations?from=${encodeURIComponent(hold.endAt)}&to=${encodeURIComponent(hold.startAt)}`,
    {},
    'to',
    'expected a moment after from',
    'from보다 늦은 시각이어야 합니다',
  ],
  [
    '/api/holds',
    post({}),
    '',
    'expected carId, startAt, endAt and reason, or proposalId alone',
    'carId, startAt, endAt, reason이 모두 있거나 proposalId만 있어야 합니다',
  ],
  [
    '/api/holds',
    post({ ...hold, carId: 0, reason: 7 }),
    '',
    'carId: expected a whole number from 1 on; reason: Invalid input: expected string, received number',
    'carId: 1 이상의 정수여야 합니다; reason: 문자열이어야 합니다',
  ],
];

describe('what a schema expects of a field is in the language of the caller', () => {
  it.each(cases)('%s %j: %s', async (path, given, field, english, korean) => {
    const [en, ko] = [await ask(path, given, 'en'), await ask(path, given, 'ko')];
    expect([en.status, ko.status]).toEqual([expect.toSatisfy(isRefusal), expect.toSatisfy(isRefusal)]);
    expect(en.body.fields).toContainEqual({ field, message: english });
    expect(ko.body.fields).toContainEqual({ field, message: korean });
    expect(en.body.detail).toContain(english);
    expect(ko.body.detail).toMatch(/[가-힣](\(.*\))?\.?$/);
    expect(ko.body.detail).not.toMatch(/expected|Invalid|Unrecognized/);
  });

  it('also of the fields of a photo form', async () => {
    const body = new FormData();
    body.set('override', 'yes');
    body.set('image', new Blob([new Uint8Array([0xff, 0xd8, 0xff])], { type: 'image/jpeg' }), 'photo.jpg');
    const path = '/api/reservations/8421/dispatch/carImage';
    const { body: problem } = await ask(path, { method: 'POST', key: 'k-1', body }, 'ko');
    expect(problem.fields).toEqual([{ field: 'override', message: 'true 또는 false 중 하나여야 합니다' }]);
  });
});

describe('a text of a schema has a Korean one', () => {
  const korean = sentencesIn('ko', 0);
  const refusals: [z.ZodType, unknown][] = [
    [phone, 'x'],
    [birth, '19900230'],
    [text, ' '],
    [integerAsText(z.int()), 'x'],
    [timestamp(0, ':'), 'now'],
    [timestamp(0, ':'), '2026-02-30T00:00:00Z'],
    [timestamp(0, ':'), '2026-02-28T00:00:00+24:00'],
    [z.strictObject({}), { extra: 1 }],
    [z.enum(['a', 'b']), 'c'],
    [z.literal('a'), 'c'],
    [z.array(z.string()).max(1), ['a', 'b']],
    [z.string().min(1), ''],
    [z.uuid(), 'x'],
    [z.union([z.string(), z.number()]), true],
    [z.unknown().refine(() => false), 1],
  ];
  it.each(refusals)('of zod, or of a value of the wire profile: case %#', (schema, value) => {
    const lines = fieldLines(schema.safeParse(value).error?.issues ?? []);
    expect(lines).toHaveLength(1);
    for (const { message } of lines) {
      expect(message).not.toBeTypeOf('string');
      expect(korean(message)).toMatch(koreanSentence);
    }
  });

  it('because each that the status API writes is of the catalogue', () => {
    const files = readdirSync('src/api', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('messages'),
    );
    const raw = files.filter((file) => /['"`]expected /.test(readFileSync(`src/api/${file}`, 'utf8')));
    expect(raw).toEqual([]);
  });
});
