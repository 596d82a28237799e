import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKorean } from '../../../console/texts/is-korean.js';
import { languageOf } from '../../../src/api/http/language.js';
import { sentencesIn } from '../../../src/api/http/sentences.js';
import { apiEn } from '../../../src/api/messages/en/index.js';
import { commandView, fullView, knownHold, startApi, type TestApi } from '../../support/api.js';

const since = Date.UTC(2026, 10, 21);
const late = { code: 'attention.handover-late', data: { start: since } };

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  const moment = '2026-11-21T09:00:00.000+09:00';
  api.parts.views.set(
    8421,
    fullView(8421, {
      attention: [
        { kind: 'handover-late', since: moment, message: late },
        { kind: 'conflict', since: moment, message: 'a sentence of 0.3.0' },
      ],
    }),
  );
  api.parts.entries = [
    {
      seq: 1,
      at: since,
      kind: 'timer',
      rule: 'L41',
      text: 'in English',
      messages: [{ code: 'item.raised', data: { kind: 'handover-late', since, again: false } }, late],
      data: {},
    },
    { seq: 2, at: since, kind: 'event', rule: 'L18', text: 'stored by 0.3.0', data: {} },
  ];
  const message = { code: 'hold.entry-moved', data: {} };
  api.parts.holds.set('h-1', {
    ...knownHold(),
    attention: [{ kind: 'entry', since: moment, code: 'ENTRY_MOVED', message, left: [] }],
  });
  api.parts.onAct = async () => ({
    kind: 'refused',
    refusal: {
      code: 'RESERVATION_TERMINAL',
      message: { code: 'refused.closed', data: {} },
      overridable: false,
    },
  });
});
afterAll(() => api.close());

describe('the language of an answer', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['ko', 'ko'],
    ['KO-KR', 'ko'],
    ['ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7', 'ko'],
    ['en-US,en;q=0.9,ko;q=0.8', 'en'],
    ['ko;q=0.5, en;q=0.6', 'en'],
    ['en;q=0.5, ko', 'ko'],
    ['de, ko;q=0.1', 'ko'],
    ['de', 'en'],
    ['*', 'en'],
    ['en;q=0, *', 'ko'],
    ['ko;q=0, *;q=0.5', 'en'],
    ['ko;q=0', 'en'],
    ['kok', 'en'],
    ['ko;q=high', 'en'],
    ['ko;q=2', 'en'],
    ['ko, en', 'ko'],
    ['en, ko', 'en'],
  ])('is by Accept-Language: %s: %s', (accepted, language) => {
    expect(languageOf(accepted)).toBe(language);
  });

  it.each([
    '/api/reservations/8421',
    '/api/reservations/8421/timeline',
    '/api/holds/h-1',
    '/api/reservations/1/nowhere',
  ])('is stated, with what it depends on: %s', async (path) => {
    for (const [accepted, language] of [
      ['ko', 'ko'],
      ['de', 'en'],
    ] as const) {
      const { headers } = await api.ask(path, { as: 'staff', headers: { 'accept-language': accepted } });
      expect(headers.get('content-language')).toBe(language);
      expect(headers.get('vary')).toMatch(/Accept-Language/i);
    }
  });
});

const inKorean = { as: 'staff', headers: { 'accept-language': 'ko-KR' } } as const;

it('attention items are in the language of the caller; a sentence of 0.3.0 stays as it is', async () => {
  const messages = async (headers: Record<string, string>) => {
    const { body } = await api.ask('/api/reservations/8421', { as: 'staff', headers });
    return body.attention.map(({ message }: { message: string }) => message);
  };
  expect(await messages({})).toEqual([
    'The handover is late: the rental started at 2026-11-21T09:00:00.000+09:00. Call the driver on the way and the customer.',
    'a sentence of 0.3.0',
  ]);
  expect(await messages(inKorean.headers)).toEqual([
    '인도가 늦어지고 있습니다. 대여 시작: 2026-11-21T09:00:00.000+09:00. 이동 중인 기사와 고객에게 전화하세요.',
    'a sentence of 0.3.0',
  ]);
});

it('the timeline is in the language of the caller; an entry of 0.3.0 has its text', async () => {
  const { body } = await api.ask('/api/reservations/8421/timeline', inKorean);
  expect(body.items).toEqual([
    {
      seq: 1,
      at: '2026-11-21T09:00:00.000+09:00',
      kind: 'timer',
      rule: 'L41',
      text: '확인이 필요합니다: 인도 지연(handover-late), 2026-11-21T09:00:00.000+09:00부터. 인도가 늦어지고 있습니다. 대여 시작: 2026-11-21T09:00:00.000+09:00. 이동 중인 기사와 고객에게 전화하세요.',
      data: {},
    },
    {
      seq: 2,
      at: '2026-11-21T09:00:00.000+09:00',
      kind: 'event',
      rule: 'L18',
      text: 'stored by 0.3.0',
      data: {},
    },
  ]);
  const english = await api.ask('/api/reservations/8421/timeline', { as: 'staff' });
  expect(english.body.items[0].text).toMatch(
    /^Needs attention: handover-late, since .* The handover is late/,
  );
});

it('holds and refusals are in the language of the caller', async () => {
  const hold = await api.ask('/api/holds/h-1', inKorean);
  expect(hold.body.attention[0].message).toMatch(/^플랫폼에서 이 사용 중지의 스케줄 항목이 옮겨졌습니다\./);
  const act = { method: 'PUT', key: 'k-1' } as const;
  const path = '/api/reservations/8421/dispatch/start';
  expect((await api.ask(path, { ...act, ...inKorean })).body).toMatchObject({
    code: 'RESERVATION_TERMINAL',
    title: '예약이 끝났습니다',
    detail: '예약이 종료되어 더 이상 처리할 수 없습니다.',
  });
  expect((await api.ask(path, { ...act, as: 'staff' })).body).toMatchObject({
    code: 'RESERVATION_TERMINAL',
    detail: 'The reservation is closed. Nothing can be done about it any more.',
  });
});

it('a rejection of the platform has a Korean sentence by its code; what a person wrote stays as it is', async () => {
  const commands = [
    { settledBy: 'answer', code: 'E011', message: 'addSchedule: the period overlaps' },
    { settledBy: 'answer', code: 'SOMETHING', message: 'another text' },
    { settledBy: 'person', code: 'E011', message: 'I saw it' },
  ] as const;
  api.parts.views.set(
    8422,
    fullView(8422, {
      commands: commands.map((one, index) => commandView({ ...one, commandId: `c-${index}` })),
    }),
  );
  const { body } = await api.ask('/api/reservations/8422', inKorean);
  expect(body.commands.map(({ message }: { message: string }) => message)).toEqual([
    '스케줄 기간이 다른 항목과 겹칩니다(E011). 다른 기간을 선택하세요.',
    'another text',
    'I saw it',
  ]);
});

describe('why the status API refuses', () => {
  const data = {
    ...{
      id: 7,
      from: 1,
      max: 500,
      limit: 500,
      reservationId: 7,
      other: 8,
      productId: 9,
      carId: 7,
      status: 20,
      most: 60,
      count: 201,
      docs: true,
      isNumber: true,
    },
    ...{
      code: 'UNREADABLE',
      expected: 'string',
      origin: 'array',
      text: 'the platform gave no answer',
      what: 'car',
      why: 'BODY_REMOVED',
      name: 'In use',
    },
    ...{
      kind: 'conflict',
      commandId: 'c-1',
      holdId: 'h-1',
      until: '2026-11-21T09:00:00.000+09:00',
      state: 'over',
    },
    ...{ needed: 'manager', role: 'staff', variable: 'PLATFORM_CHANNEL_API_KEY', failing: ['database'] },
    ...{
      method: 'PUT',
      allow: 'GET',
      lines: [{ field: 'at', message: { code: 'field.moment', data: {} } }],
      fields: ['q'],
      names: ['reservationId', 'from'],
      values: ['applied', 'rejected'],
      keys: ['extra'],
      expectation: 'integer',
      received: 'nothing',
      gap: 'G30',
      start: 'from',
      end: 'to',
      to: 500,
    },
  };

  it.each(Object.keys(apiEn))('has words in both languages, with all of its data: %s', (code) => {
    const [english, korean] = (['en', 'ko'] as const).map((language) =>
      sentencesIn(language, 0)({ code, data }),
    );
    for (const text of [english, korean]) {
      expect(text).not.toBe(code);
      expect(text).not.toMatch(/undefined|null|\[object/);
    }
    expect(english).not.toMatch(/[가-힣]/);
    // the console recognises it by its end
    expect(isKorean(korean ?? '')).toBe(true);
  });

  it('is read in the language of the caller', async () => {
    const { body } = await api.ask('/api/reservations/999', inKorean);
    expect(body).toMatchObject({
      code: 'RESERVATION_NOT_FOUND',
      title: '없는 예약입니다',
      detail: '예약 999은(는) 알려지지 않았습니다. 도착한 이벤트가 없습니다. ID를 확인하세요.',
    });
  });

  it('is never a text of one language, other than to programs', () => {
    // Temporal UI, the platform, probes, and what is no HTTP
    const toPrograms = /^(codec|operations|callbacks\/server|http\/not-http)/;
    const written = /new Problem\(\s*'[A-Z0-9_]+',\s*['"`]/;
    const files = readdirSync('src/api', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const found = files.filter((file) => written.test(readFileSync(`src/api/${file}`, 'utf8')));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((file) => !toPrograms.test(file))).toEqual([]);
  });
});
