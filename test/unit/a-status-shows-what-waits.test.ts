import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiSource } from '../../src/tools/status/sources.js';
import { startApi, type TestApi } from '../support/api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

it('handover status reads waiting callbacks, those without a verdict and suspended roles from the status API', async () => {
  const { parts } = api;
  const since = Date.UTC(2026, 10, 21);
  const oldestAt = Date.now() - 3_600_000;
  const unjudged = { events: 5, oldestAt: oldestAt - 3_600_000 };
  parts.intakeState = { ...parts.intakeState, backlog: { events: 3, oldestAt }, unjudged };
  const subject = { kind: 'role-suspended', subject: 'supplier' } as const;
  parts.alertItems = [{ id: 1, ...subject, since, message: 'refused', clearedAt: null }];
  const { intake, alerts } = await apiSource(api.url, 'viewer-token').read();
  expect(intake).toMatchObject({
    waiting: 3,
    unjudged: 5,
    deadLetters: 1,
    shards: { held: 16, of: 16, processes: [{ shards: 16, address: '10.0.0.7' }] },
  });
  expect(intake?.oldestWaitingSeconds).toBeGreaterThanOrEqual(3_600);
  expect(intake?.oldestUnjudgedSeconds).toBeGreaterThanOrEqual(7_200);
  expect(alerts).toMatchObject([{ ...subject, message: 'refused' }]);
});
