import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message } from '../../../src/store/alerts/messages/message.js';
import { startApi, type TestApi } from '../../support/api.js';

const since = Date.UTC(2026, 10, 21);
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  const alert = { subject: '', since, clearedAt: null };
  api.parts.alertItems = [
    {
      ...alert,
      id: 2,
      kind: 'intake-silent',
      message: message('alert.intake-silent', { afterMs: 21_600_000 }),
    },
    { ...alert, id: 1, kind: 'intake-backlog', message: 'a text of 0.3.0' },
  ];
});
afterAll(() => api.close());

describe.each([
  ['/api/alerts', 'items'],
  ['/api/board', 'alerts'],
])('the alerts of %s', (path, part) => {
  it.each([
    [undefined, 'en', /^No callback came for 6 h or longer\./],
    ['ko-KR,ko;q=0.9', 'ko', /^6시간 이상 콜백이 오지 않았습니다\./],
    ['de', 'en', /^No callback came/],
  ])(
    'are in the language of the caller, and a text of an earlier release is shown as it is: %s',
    async (accepted, language, text) => {
      const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-language': accepted };
      const { body, headers: got } = await api.ask(path, { as: 'viewer', headers });
      const [coded, stored] = body[part];
      expect(coded.message).toMatch(text);
      expect(stored.message).toBe('a text of 0.3.0');
      expect(got.get('content-language')).toBe(language);
      expect(got.get('vary')).toMatch(/Accept-Language/i);
    },
  );
});
