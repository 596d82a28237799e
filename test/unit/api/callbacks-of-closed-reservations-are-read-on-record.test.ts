import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InboxEvent } from '../../../src/store/callbacks/types.js';
import { DatabaseError } from '../../../src/store/connection/errors.js';
import { personal, startApi, type TestApi } from '../../support/api.js';

const closed = 8421;
const now = Date.UTC(2026, 10, 21, 3, 30);
let api: TestApi;
let record: TestApi['parts']['onAudit'];
beforeAll(async () => {
  api = await startApi({ isClosed: async (id) => id === closed, clock: () => now });
  record = api.parts.onAudit;
});
afterAll(() => api?.close());
beforeEach(() => {
  api.parts.audited.length = 0;
  api.parts.onAudit = record;
});

/** A callback of a reservation; null: it could not be read from the body. */
function store(reservationId: number | null): void {
  const event: InboxEvent = {
    id: 17,
    eventId: 'msg_17',
    channel: 'update',
    reservationId,
    receivedAt: now,
    copies: 1,
    state: 'done',
    sentAt: now,
    resends: 0,
    verdict: 'applied',
    rule: 'L03',
    verdictAt: now,
    failures: 0,
    lastError: null,
    replays: 0,
    replayedAt: null,
    identity: 'webhook-id',
    path: '/events/reservation/update',
    headers: {},
    raw: { encoding: 'utf-8', content: personal },
    event: {
      eventId: 'msg_17',
      inboxId: 17,
      channel: 'update',
      receivedAt: now,
      pickupAddress: personal,
    },
    unreadable: null,
    timeline: [],
    earlier: [],
  };
  api.parts.inboxEvents.set(17, event);
}
const read = (as: 'viewer' | 'staff' | 'manager') => api.ask('/api/inbox/17', { as });

describe('L60: a callback of a closed reservation', () => {
  it.each([
    ['staff', 'kim'],
    ['manager', 'lee'],
  ] as const)('is in the audit where its reader has the role %s, once an hour', async (role, by) => {
    store(closed);
    expect((await read(role)).text).toContain(personal);
    await read(role);
    const entry = { at: now, by, action: 'inbox.read', subject: 'inbox/17', data: { reservationId: closed } };
    expect(api.parts.audited).toMatchObject([entry, entry]);
    // the database stores one entry for each command id
    const ids = new Set(api.parts.audited.map(({ commandId }) => commandId));
    expect([...ids]).toEqual([expect.stringContaining(`read.${by}.inbox/17.`)]);
    expect(JSON.stringify(api.parts.audited)).not.toContain(personal);
  });

  it('is not in the audit when a viewer reads it, who is shown nothing personal', async () => {
    store(closed);
    const { status, text } = await read('viewer');
    expect(status).toBe(200);
    expect(text).not.toContain(personal);
    expect(api.parts.audited).toEqual([]);
  });

  it('is not shown where the entry cannot be written', async () => {
    store(closed);
    api.parts.onAudit = () => Promise.reject(new DatabaseError('DATABASE_SILENT', 'away'));
    for (const role of ['staff', 'manager'] as const) {
      const { status, text } = await read(role);
      expect(status).toBe(503);
      expect(text).not.toContain(personal);
    }
    expect((await read('viewer')).status).toBe(200);
  });
});

it.each([
  ['of an open reservation', closed + 1],
  ['of no reservation that could be read from it', null],
])('a callback %s is shown without an entry', async (_, reservationId) => {
  store(reservationId);
  expect((await read('manager')).text).toContain(personal);
  expect(api.parts.audited).toEqual([]);
});
