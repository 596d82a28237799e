import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { auditList } from '../../../src/api/audit/schemas.js';
import { intakeState } from '../../../src/api/callbacks/intake-schemas.js';
import { inboxEvent, inboxList, replayed, replayPreviews } from '../../../src/api/callbacks/schemas.js';
import { decodeCallback } from '../../../src/inbox/event/decode.js';
import { defaultProfile } from '../../../src/platform/profiles/default/index.js';
import type { InboxEvent, InboxItem, Replayed } from '../../../src/store/callbacks/types.js';
import { personal, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
  api.parts.inboxEvents.set(17, stored());
});
afterEach(() => api.close());

const noon = Date.UTC(2026, 10, 21, 3);
const shownNoon = '2026-11-21T12:00:00.000+09:00';

function item(changes: Partial<InboxItem> = {}): InboxItem {
  return {
    id: 17,
    eventId: 'msg_17',
    channel: 'update',
    reservationId: 8421,
    receivedAt: noon,
    copies: 1,
    state: 'done',
    sentAt: noon,
    resends: 0,
    verdict: 'applied',
    rule: 'L03',
    verdictAt: noon,
    failures: 0,
    lastError: null,
    replays: 1,
    replayedAt: noon,
    ...changes,
  };
}

/** An event with everything filled in. */
function stored(changes: Partial<InboxEvent> = {}): InboxEvent {
  const person = { name: personal, birth: personal, phone: personal, licenseNumber: personal };
  return {
    ...item(),
    identity: 'webhook-id',
    path: '/events/reservation/update',
    headers: { 'content-type': 'application/json' },
    raw: { encoding: 'utf-8', content: `{"driverName":"${personal}"}` },
    event: {
      eventId: 'msg_17:replay-1',
      inboxId: 17,
      channel: 'update',
      receivedAt: noon,
      replay: 1,
      status: 10,
      changedAt: noon,
      createdAt: noon,
      period: { start: noon, end: noon },
      car: { id: 12, number: '12가3456' },
      driving: { start: noon },
      pickupAddress: personal,
      pickupMemo: personal,
      driver: { ...person, address: personal },
      companion: person,
      parking: { memo: personal, imageUrl: personal, lotType: 1 },
      malformed: ['driverPhone'],
    },
    unreadable: null,
    timeline: [{ seq: 4, at: noon, kind: 'event', rule: 'L03', text: 'applied', data: { inboxId: 17 } }],
    earlier: [
      {
        replay: 1,
        at: noon,
        by: 'lee',
        reservationId: null,
        state: 'done',
        verdict: 'invalid',
        rule: 'L63',
        verdictAt: null,
        failures: 0,
        lastError: null,
      },
    ],
    ...changes,
  };
}

const reason = `${personal}: the profile is fixed`;
const replayOne = (json: unknown = { reason }, as: 'staff' | 'manager' = 'manager', query = '') =>
  api.ask(`/api/inbox/17/replay${query}`, { method: 'POST', as, json });
const replayMany = (json: unknown, query = '') =>
  api.ask(`/api/inbox/replay${query}`, { method: 'POST', as: 'manager', json });

describe('GET /api/inbox', () => {
  it('filters by the time of receipt and by state', async () => {
    api.parts.inboxItems = [item()];
    const query = new URLSearchParams({ from: shownNoon, to: '2026-11-21T04:00:00Z', state: 'dead' });
    const { body } = await api.ask(`/api/inbox?${query}`, { as: 'viewer' });
    expect(z.strictObject(inboxList.shape).parse(body)).toEqual(body);
    expect(body.items[0]).toMatchObject({ id: 17, replays: 1, replayedAt: shownNoon });
    expect(api.parts.filters).toEqual([{ from: noon, to: noon + 3_600_000, state: 'dead', limit: 100 }]);
  });

  it.each([
    ['state=lost', 'state'],
    ['from=2026-11-21T12:00:00', 'from'],
  ])('%s is 400', async (query, says) => {
    const { status, body } = await api.ask(`/api/inbox?${query}`, { as: 'viewer' });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_QUERY' });
    expect(body.detail).toContain(says);
  });
});

describe('GET /api/inbox/{id}', () => {
  it('shows managers the body, the reading, its changes, and its earlier verdict before a replay', async () => {
    const { status, body } = await api.ask('/api/inbox/17', { as: 'manager' });
    expect(status).toBe(200);
    expect(inboxEvent.strict().parse(body)).toEqual(body);
    expect(body).toMatchObject({
      id: 17,
      raw: { encoding: 'utf-8', content: `{"driverName":"${personal}"}` },
      event: {
        status: 10,
        period: { start: shownNoon, end: shownNoon },
        driving: { start: shownNoon },
        driver: { name: personal },
      },
      unreadable: null,
      timeline: [{ seq: 4, at: shownNoon, rule: 'L03' }],
      earlier: [{ replay: 1, by: 'lee', verdict: 'invalid', at: shownNoon }],
    });
    expect(body.event).not.toHaveProperty('eventId');
  });

  it('shows staff the reading, and not the body', async () => {
    const { body } = await api.ask('/api/inbox/17', { as: 'staff' });
    expect(body).toMatchObject({ raw: null, event: { driver: { name: personal } } });
  });

  it('L60: a viewer gets neither the body nor a personal field', async () => {
    const { body, text } = await api.ask('/api/inbox/17', { as: 'viewer' });
    expect(text).not.toContain(personal);
    expect(inboxEvent.strict().parse(body)).toEqual(body);
    expect(body).toMatchObject({
      raw: null,
      event: { status: 10, driver: null, companion: null, pickupAddress: null, parking: { lotType: 1 } },
      verdict: 'applied',
    });
  });

  it('L63: states why an event cannot be read', async () => {
    const unreadable = { code: 'NOT_IN_PROFILE' as const, fields: ['startAt'] };
    api.parts.inboxEvents.set(17, stored({ event: null, unreadable, verdict: 'invalid', rule: 'L63' }));
    const { body } = await api.ask('/api/inbox/17', { as: 'viewer' });
    expect(body).toMatchObject({ event: null, unreadable, verdict: 'invalid' });
  });

  it('L63: states what each field should be, in the language of the caller', async () => {
    const body = Buffer.from('{"reservationId":"8421"}');
    const { unreadable } = decodeCallback(defaultProfile.callbacks, 'status', body);
    api.parts.inboxEvents.set(17, stored({ event: null, unreadable, verdict: 'invalid', rule: 'L63' }));
    const problemsIn = async (language: string): Promise<string[]> =>
      (await api.ask('/api/inbox/17', { as: 'viewer', headers: { 'accept-language': language } })).body
        .unreadable.problems;
    const [english, korean] = [await problemsIn('en'), await problemsIn('ko')];
    expect(english).toHaveLength(unreadable?.fields.length ?? 0);
    expect(english.join()).toMatch(/reservationStatus: .*expected/);
    expect(korean.join()).toMatch(/reservationStatus: 받은 값은 없음\(G\d+\): .*야 합니다/);
    expect(korean.join()).not.toMatch(/expected|received/);
    expect([...english, ...korean].join()).not.toContain('8421');
  });

  it('is 404 for an unknown row and 400 for an invalid id', async () => {
    expect(await api.ask('/api/inbox/18', { as: 'viewer' })).toMatchObject({
      status: 404,
      body: { code: 'INBOX_EVENT_NOT_FOUND' },
    });
    expect(await api.ask('/api/inbox/x', { as: 'viewer' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ID' },
    });
  });
});

describe('POST /api/inbox/{id}/replay', () => {
  it('passes the reason and its author; the verdict follows: 202', async () => {
    const { status, body } = await replayOne();
    expect(status).toBe(202);
    expect(replayed.strict().parse(body)).toEqual(body);
    expect(body).toEqual({
      events: [{ id: 17, reservationId: 8421, replay: 1 }],
      skipped: [],
      nextCursor: null,
    });
    expect(api.parts.replays).toEqual([{ selection: { id: 17 }, by: 'lee', reason }]);
  });

  it('returns a preview with dryRun=true: 200, and no replay is started', async () => {
    const { status, body } = await replayOne({ reason }, 'manager', '?dryRun=true');
    expect(status).toBe(200);
    expect(replayPreviews.strict().parse(body)).toEqual(body);
    expect(body.events).toEqual([
      {
        id: 17,
        reservationId: 8421,
        state: 'done',
        verdict: 'invalid',
        rule: 'L63',
        foreseen: { verdict: 'applied', rule: 'L03' },
        code: null,
        changes: [{ field: 'status.code', before: 5, after: 10 }],
      },
    ]);
    expect(api.parts.replays).toEqual([{ selection: { id: 17 }, dryRun: true }]);
  });

  it.each([
    ['EVENT_ON_ITS_WAY', 409],
    ['BODY_REMOVED', 409],
    ['CODEC_KEY_UNKNOWN', 422],
    ['CODEC_PAYLOAD_DAMAGED', 422],
  ] as const)('%s is %i, also for a dry run', async (code, expected) => {
    const hindered: Replayed = { events: [], skipped: [{ id: 17, code }], nextCursor: null };
    api.parts.onReplay = async () => hindered;
    for (const query of ['', '?dryRun=true']) {
      const { status, body } = await replayOne({ reason }, 'manager', query);
      expect({ status, code: body.code }).toEqual({ status: expected, code });
      expect(body.detail).toMatch(/^Event 17 cannot be read again\. /);
    }
  });

  it('is 404 for an unknown row', async () => {
    api.parts.onReplay = async () => ({ events: [], skipped: [], nextCursor: null });
    expect(await replayOne()).toMatchObject({ status: 404, body: { code: 'INBOX_EVENT_NOT_FOUND' } });
  });

  it.each([[{}], [{ reason: ' ' }], [{ reason, force: true }], [null]])(
    'is 400 for the body %j',
    async (json) => {
      const { status, body } = await replayOne(json);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_BODY' });
      expect(api.parts.replays).toEqual([]);
    },
  );

  it('accepts only true or false for dryRun', async () => {
    expect(await replayOne({ reason }, 'manager', '?dryRun=yes')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_QUERY' },
    });
    expect(api.parts.replays).toEqual([]);
  });
});

describe('POST /api/inbox/replay', () => {
  it('accepts a selection', async () => {
    api.parts.onReplay = async () => ({
      events: [{ id: 1, reservationId: null, replay: 2 }],
      skipped: [{ id: 2, code: 'BODY_REMOVED' }],
      nextCursor: '2',
    });
    const selection = {
      verdict: 'invalid',
      channel: 'update',
      state: 'done',
      reservationId: 8421,
      cursor: '1',
    };
    const { status, body } = await replayMany({ ...selection, from: shownNoon, reason });
    expect(status).toBe(202);
    expect(replayed.strict().parse(body)).toEqual(body);
    expect(body).toMatchObject({ skipped: [{ id: 2, code: 'BODY_REMOVED' }], nextCursor: '2' });
    expect(api.parts.replays).toEqual([{ selection: { ...selection, from: noon }, by: 'lee', reason }]);
    await replayMany({ ...selection, reason }, '?dryRun=true');
    expect(api.parts.replays[1]).toEqual({ selection, dryRun: true });
  });

  it('a period that ends where it starts is refused as reversed, in the list and in a replay', async () => {
    const reversed = {
      status: 409,
      body: { code: 'PERIOD_REVERSED', detail: 'to: expected a moment after from' },
    };
    const [from, to] = [shownNoon, shownNoon];
    const query = new URLSearchParams({ from, to });
    expect(await api.ask(`/api/inbox?${query}`, { as: 'viewer' })).toMatchObject(reversed);
    expect(await replayMany({ reason, from, to })).toMatchObject(reversed);
  });

  it.each([
    [{ reason }, 'expected one of reservationId'],
    [{ reason, cursor: '5' }, 'expected one of reservationId'],
    [{ verdict: 'invalid' }, 'reason'],
    [{ reason, verdict: 'lost' }, 'verdict'],
    [{ reason, state: 'received' }, 'expected sent, done or dead'],
    [{ reason, reservationId: 0 }, 'reservationId'],
    [{ reason, from: noon }, 'from'],
  ])('is 400 for %j', async (json, says) => {
    const { status, body } = await replayMany(json);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_BODY' });
    expect(body.detail).toContain(says);
    expect(api.parts.replays).toEqual([]);
  });
});

it.each(['/api/inbox/17/replay', '/api/inbox/replay'])(
  'only a manager has %s, also for a dry run',
  async (path) => {
    for (const as of ['viewer', 'staff'] as const) {
      for (const query of ['', '?dryRun=true']) {
        const answer = await api.ask(`${path}${query}`, { method: 'POST', as, json: { reason } });
        expect(answer).toMatchObject({ status: 403, body: { code: 'ROLE_NOT_ALLOWED' } });
      }
    }
    expect(api.parts.replays).toEqual([]);
  },
);

it('the audit shows managers who changed what, and why', async () => {
  const line = {
    id: 3,
    at: noon,
    by: 'lee',
    action: 'inbox.replay',
    subject: 'inbox/17',
    reason,
    reasonCode: null,
    commandId: null,
    data: { events: 1 },
  };
  const ofCar = { ...line, id: 2, action: 'car.memo', subject: 'car/12' };
  const ofHold = { ...line, id: 1, action: 'hold.end', subject: 'hold/h-1', data: { carId: 13 } };
  api.parts.auditLines = [line, ofCar, ofHold];
  for (const as of ['viewer', 'staff'] as const) {
    expect((await api.ask('/api/audit', { as })).status).toBe(403);
  }
  const path =
    '/api/audit?by=lee&action=inbox.replay&subject=inbox/17&since=2026-11-21T00:00:00Z&cursor=9&limit=2';
  const { body } = await api.ask(path, { as: 'manager' });
  expect(auditList.strict().parse(body)).toEqual(body);
  expect(body.items).toEqual([
    { ...line, at: shownNoon, carId: null, carNumber: null },
    { ...ofCar, at: shownNoon, carId: 12, carNumber: '12가1234' },
    { ...ofHold, at: shownNoon, carId: 13, carNumber: '13가1234' },
  ]);
  const asked = {
    by: 'lee',
    action: 'inbox.replay',
    subject: 'inbox/17',
    since: Date.UTC(2026, 10, 21),
    cursor: '9',
    limit: 2,
  };
  expect(api.parts.filters).toEqual([asked]);
});

it('the intake reports rates, acknowledgements, backlog and silence with their time', async () => {
  const { body } = await api.ask('/api/intake', { as: 'viewer' });
  expect(intakeState.strict().parse(body)).toEqual(body);
  expect(body).toMatchObject({
    receiver: { accepted: { perSecond1m: 2 }, acknowledgedMs: { p50: 2.5, p99: 9 } },
    backlog: { events: 3, oldestAt: '2026-11-21T08:59:00.000+09:00', oldestSeconds: 60 },
    unjudged: { events: 2, oldestAt: '2026-11-21T08:58:00.000+09:00', oldestSeconds: 120 },
    deadLetters: 1,
    silence: { lastEventAt: null, seconds: null },
    relay: { since: '2026-11-20T09:00:00.000+09:00', address: '10.0.0.7' },
    relays: [{ shards: 16, since: '2026-11-20T09:00:00.000+09:00', address: '10.0.0.7' }],
    asOf: '2026-11-21T09:00:00.000+09:00',
  });
});

it('L60: neither bodies nor reasons are logged', async () => {
  await api.ask('/api/inbox/17', { as: 'staff' });
  await replayOne();
  await replayMany({ verdict: 'invalid', reason });
  expect(api.logged.length).toBeGreaterThan(0);
  expect(api.logged.join('')).not.toContain(personal);
});
