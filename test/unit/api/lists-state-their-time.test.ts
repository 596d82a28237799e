import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { alertList } from '../../../src/api/alerts/schemas.js';
import { inboxList } from '../../../src/api/callbacks/schemas.js';
import { shareRead } from '../../../src/api/http/share-read.js';
import { reservationList, timelineList } from '../../../src/api/reservations/list-schemas.js';
import { CursorError } from '../../../src/store/cursor.js';
import { fullView, startApi, type TestApi } from '../../support/api.js';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.close());

const noon = Date.UTC(2026, 10, 21, 3);
const asOf = '2026-11-21T09:00:00.000+09:00';

it('the list of reservations has the status with its name, the period in the service’s zone, and attention kinds', async () => {
  api.parts.listed = [
    {
      reservationId: 8421,
      status: 15,
      carId: 12,
      companyId: 1,
      period: { start: noon, end: noon + 3_600_000 },
      attention: ['handover-late', 'incomplete'],
      carNumber: '12가3456',
      next: 'dispatch.complete',
      owners: { incomplete: 'kim' },
      closed: false,
    },
    {
      reservationId: 8422,
      status: null,
      carId: null,
      companyId: null,
      period: null,
      attention: [],
      carNumber: null,
      next: null,
      owners: {},
      closed: true,
    },
  ];
  const { body } = await api.ask('/api/reservations', { as: 'viewer' });
  expect(z.strictObject(reservationList.shape).parse(body)).toEqual(body);
  expect(body).toMatchObject({
    items: [
      {
        reservationId: 8421,
        status: { code: 15, name: 'dispatch complete' },
        period: { start: '2026-11-21T12:00:00.000+09:00', end: '2026-11-21T13:00:00.000+09:00' },
        attention: ['handover-late', 'incomplete'],
        carNumber: '12가3456',
        next: { action: 'dispatch.complete', target: 15 },
        // of the gravest item
        owner: null,
        owners: { incomplete: 'kim' },
      },
      {
        reservationId: 8422,
        status: { code: null, name: 'unknown' },
        period: null,
        carNumber: null,
        next: null,
        owner: null,
        owners: {},
      },
    ],
    nextCursor: null,
    asOf,
    count: 2,
  });
});

it('filters are passed as values: status, car, attention, from and to as instants, limit up to 500', async () => {
  const query = new URLSearchParams({
    status: '15',
    carId: '12',
    attention: 'return-late',
    from: '2026-11-21T12:00:00+09:00',
    to: '2026-11-21T04:00:00Z',
    cursor: 'abc',
    carNumber: '12가3456',
    since: '2026-11-21T12:00:00+09:00',
    next: 'dispatch.start',
    q: '3456',
    limit: '500',
  });
  await api.ask(`/api/reservations?${query}`, { as: 'viewer' });
  await api.ask('/api/reservations', { as: 'viewer' });
  await api.ask('/api/reservations?closed=true&attention=any', { as: 'viewer' });
  expect(api.parts.filters).toEqual([
    {
      status: 15,
      carId: 12,
      attention: 'return-late',
      from: noon,
      to: noon + 3_600_000,
      carNumber: '12가3456',
      since: noon,
      next: 'dispatch.start',
      q: '3456',
      cursor: 'abc',
      limit: 500,
    },
    { limit: 100 },
    { closed: true, attention: 'any', limit: 100 },
  ]);
});

it.each(['carNumber=3456', 'since=2026-11-21T12:00:00Z', 'next=recall.staff', 'q=3456'])(
  'closed reservations are not listed by %s: nothing of it is stored with them',
  async (filter) => {
    const { status, body } = await api.ask(`/api/reservations?closed=true&${filter}`, { as: 'viewer' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'FILTER_OF_OPEN' });
    expect(body.fields).toEqual([{ field: filter.split('=')[0], message: expect.any(String) }]);
    expect(api.parts.filters).toEqual([]);
  },
);

it('a cursor of another list is refused', async () => {
  api.parts.deps();
  const own = await startApi({
    lists: {
      ...api.parts.deps().lists,
      open: async () => {
        throw new CursorError();
      },
    },
  });
  const { status, body } = await own.ask('/api/reservations?cursor=x', { as: 'viewer' });
  await own.close();
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'CURSOR_UNKNOWN' });
});

it('the timeline is listed in order; a reservation without entries is found by its view', async () => {
  const entry = {
    seq: 1,
    at: noon,
    kind: 'event' as const,
    rule: 'L02',
    text: 'registered',
    data: { status: 5 },
  };
  api.parts.entries = [entry];
  const { body } = await api.ask('/api/reservations/8421/timeline', { as: 'viewer' });
  expect(z.strictObject(timelineList.shape).parse(body)).toEqual(body);
  expect(body.items).toEqual([{ ...entry, at: '2026-11-21T12:00:00.000+09:00' }]);
  api.parts.entries = [];
  api.parts.views.set(8421, fullView(8421));
  expect((await api.ask('/api/reservations/8421/timeline', { as: 'viewer' })).body.items).toEqual([]);
});

it('the inbox lists events with their verdicts, never a body', async () => {
  api.parts.inboxItems = [
    {
      id: 3,
      eventId: 'msg_3',
      channel: 'update',
      reservationId: 8421,
      receivedAt: noon,
      copies: 2,
      state: 'done',
      sentAt: noon,
      resends: 0,
      verdict: 'stale',
      rule: 'L03',
      verdictAt: null,
      failures: 0,
      lastError: null,
      replays: 0,
      replayedAt: null,
    },
  ];
  const { body } = await api.ask('/api/inbox?verdict=stale&reservationId=8421&limit=5', { as: 'viewer' });
  expect(z.strictObject(inboxList.shape).parse(body)).toEqual(body);
  expect(body.items[0]).toMatchObject({
    id: 3,
    verdict: 'stale',
    receivedAt: '2026-11-21T12:00:00.000+09:00',
  });
  expect(api.parts.filters).toEqual([{ verdict: 'stale', reservationId: 8421, limit: 5 }]);
});

it('alerts are listed as they are, by default the open ones', async () => {
  const open = {
    id: 4,
    kind: 'role-suspended',
    subject: 'supplier',
    since: noon,
    message: 'check the key',
  } as const;
  api.parts.alertItems = [
    { ...open, clearedAt: null },
    { ...open, id: 3, clearedAt: noon },
  ];
  const { body } = await api.ask('/api/alerts', { as: 'viewer' });
  expect(z.strictObject(alertList.shape).parse(body)).toEqual(body);
  const { id: _, ...shown } = { path: '/', ...open, since: '2026-11-21T12:00:00.000+09:00' };
  expect(body.items).toEqual([
    { ...shown, clearedAt: null },
    { ...shown, clearedAt: '2026-11-21T12:00:00.000+09:00' },
  ]);
  const since = '2026-11-21T03:00:00Z';
  await api.ask(`/api/alerts?state=all&kind=role-suspended&since=${since}&cursor=7&limit=5`, {
    as: 'viewer',
  });
  expect(api.parts.filters).toEqual([
    { state: 'open', limit: 100 },
    { state: 'all', kind: 'role-suspended', since: noon, cursor: '7', limit: 5 },
  ]);
});

it('requests within a second share one read; a failed read is repeated', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let reads = 0;
  let fails = false;
  const read = async () => {
    if (fails) throw new Error('away');
    return ++reads;
  };
  const readShared = shareRead(read, 1_000);
  expect(await Promise.all([readShared(), readShared()])).toEqual([1, 1]);
  vi.advanceTimersByTime(999);
  expect(await readShared()).toBe(1);
  vi.advanceTimersByTime(1);
  fails = true;
  await expect(readShared()).rejects.toThrow('away');
  fails = false;
  expect(await readShared()).toBe(2);
});

it('an answer that is to be read again sooner is shared for its own time, and no longer than the others', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let state = 'failing';
  const readShared = shareRead(
    async () => state,
    1_000,
    (answer) => (answer === 'failing' ? 100 : 5_000),
  );
  expect(await readShared()).toBe('failing');
  state = 'ok';
  vi.advanceTimersByTime(99);
  expect(await readShared()).toBe('failing');
  vi.advanceTimersByTime(1);
  expect(await readShared()).toBe('ok');
  state = 'failing';
  vi.advanceTimersByTime(999);
  expect(await readShared()).toBe('ok');
  vi.advanceTimersByTime(1);
  expect(await readShared()).toBe('failing');
});
