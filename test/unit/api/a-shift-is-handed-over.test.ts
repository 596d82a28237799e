import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';

const noon = Date.UTC(2026, 10, 21, 3);
const hour = 3_600_000;
const moment = '2026-11-21T12:00:00.000+09:00';
const since = '2026-11-21T04:00:00.000+09:00';

let api: TestApi;
beforeEach(async () => {
  api = await startApi({ clock: () => noon });
});
afterEach(() => api.close());

const accept = (json: unknown, as: 'viewer' | 'staff' = 'staff') =>
  api.ask('/api/shifts', { method: 'POST', as, key: 'key-1', json });

it('staff accept a shift with a note', async () => {
  const { status, body } = await accept({ since, note: ' call Lee back ' });
  const shown = { shiftId: 1, at: moment, by: 'kim', since, note: 'call Lee back' };
  expect({ status, body }).toEqual({ status: 201, body: shown });
  const [accepted] = api.parts.accepted;
  expect(accepted).toEqual({
    at: noon,
    by: 'kim',
    since: noon - 8 * hour,
    note: 'call Lee back',
    commandId: 'key-1',
  });
  expect((await accept({ since })).body.note).toBeNull();
});

it('staff add a note during the shift, which accepts none', async () => {
  const { status, body } = await accept({ note: 'key 7 is missing' });
  const shown = { shiftId: 1, at: moment, by: 'kim', since: null, note: 'key 7 is missing' };
  expect({ status, body }).toEqual({ status: 201, body: shown });
  const { status: refused, body: problem } = await accept({});
  expect({ refused, fields: problem.fields }).toMatchObject({
    refused: 400,
    fields: [{ message: expect.stringContaining('since, note') }],
  });
  expect(api.parts.accepted).toHaveLength(1);
});

it('a viewer accepts none, and a key stands for one shift', async () => {
  expect((await accept({ since }, 'viewer')).status).toBe(403);
  api.parts.onShift = async () => 'reused';
  const { status, body } = await accept({ since });
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'COMMAND_ID_REUSED' });
});

it('accepted shifts are listed', async () => {
  api.parts.shiftItems = [{ shiftId: 7, at: noon, by: 'lee', since: noon - 8 * hour, note: null }];
  const { body } = await api.ask('/api/shifts', { as: 'staff' });
  expect(body.items).toEqual([{ shiftId: 7, at: moment, by: 'lee', since, note: null }]);
});

it('what staff did is listed with the plate of its car, for the last 24 hours, or from a moment on', async () => {
  const entry = {
    id: 'audit/1',
    by: 'kim',
    action: 'hold.create',
    subject: 'hold/h-1',
    data: {},
    carId: 12,
  };
  api.parts.activityEntries = [{ ...entry, at: noon }];
  const { body } = await api.ask('/api/activity', { as: 'staff' });
  expect(body.items).toEqual([{ ...entry, carNumber: '12가1234', at: moment }]);
  await api.ask(`/api/activity?since=${encodeURIComponent(since)}&by=kim`, { as: 'staff' });
  expect(api.parts.filters).toEqual([
    { since: noon - 24 * hour, limit: 100 },
    { since: noon - 8 * hour, by: 'kim', limit: 100 },
  ]);
});

it('the schedule shows what takes each car, or these cars', async () => {
  const reservation = {
    type: 'reservation' as const,
    reservationId: 1,
    status: 20,
    attention: [],
    atRisk: false,
    overdue: true,
  };
  const hold = { type: 'hold', holdId: 'h-1', state: 'active' } as const;
  const entry = { type: 'entry', scheduleId: 7 } as const;
  const times = { startAt: noon - 8 * hour, endAt: noon };
  api.parts.carSchedules = [
    {
      carId: 12,
      carNumber: '12가3456',
      bars: [
        { ...reservation, ...times },
        { ...hold, ...times },
        { ...entry, ...times, readAt: noon },
      ],
    },
  ];
  const read = async (
    as: 'viewer' | 'staff',
    query = `from=${encodeURIComponent(since)}&to=${encodeURIComponent(moment)}`,
  ) => api.ask(`/api/schedule?${query}`, { as });
  const shownTimes = { startAt: since, endAt: moment };
  expect((await read('staff')).body.items).toEqual([
    {
      carId: 12,
      carNumber: '12가3456',
      bars: [
        { ...reservation, status: { code: 20, name: 'in use' }, ...shownTimes },
        { ...hold, ...shownTimes },
        { ...entry, ...shownTimes, readAt: moment },
      ],
    },
  ]);
  expect((await read('viewer')).body.items[0].carNumber).toBe('12가3456');
  expect(api.parts.filters[0]).toEqual({
    period: { start: noon - 8 * hour, end: noon },
    now: noon,
    limit: 100,
  });
  api.parts.filters.length = 0;
  const between = `from=${encodeURIComponent(since)}&to=${encodeURIComponent(moment)}`;
  await read('viewer', `${between}&carId=12`);
  await read('viewer', `${between}&carId=12&carId=13`);
  expect(api.parts.filters).toMatchObject([{ carIds: [12] }, { carIds: [12, 13] }]);
  expect((await read('viewer', `${between}&carId=x`)).body.code).toBe('INVALID_QUERY');
  const reversed = await read('staff', `from=${encodeURIComponent(moment)}&to=${encodeURIComponent(since)}`);
  expect(reversed.body.code).toBe('PERIOD_REVERSED');
  expect((await read('staff', '')).body.code).toBe('INVALID_QUERY');
});
