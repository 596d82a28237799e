import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { lookAheadActivity } from '../../activities/look-ahead.js';
import type { RoleDeps } from '../../activities/role.js';
import type { LookAheadAnswer, LookAheadRequest } from '../../src/domain/reservation/index.js';
import type { PlatformClient } from '../../src/platform/client/index.js';
import { type CallErrorCode, PlatformCallError } from '../../src/platform/errors.js';
import type { CarSchedules, RelatedCar, Schedule } from '../../src/platform/model.js';

const hour = 3_600_000;
const at = Date.UTC(2026, 10, 22, 4);
const request: LookAheadRequest = {
  reservationId: 8421,
  at,
  asked: 'it',
  carId: 12,
  carNumber: '12가3456',
  productId: 3,
  period: { start: at - 24 * hour, end: at },
  zoneOffsetMinutes: 540,
};
const model = 'Avante 1.6';

const entry = (scheduleId: number, from: number, to: number, changes: Partial<Schedule> = {}): Schedule => ({
  scheduleId,
  carId: 12,
  scheduleType: 'R',
  reason: 'reservation',
  startAt: at + from * hour,
  endAt: at + to * hour,
  ...changes,
});
const own = entry(70, -24, 0);
const next = entry(77, 3, 9);
const groups = (schedules: Schedule[]): CarSchedules[] =>
  [...new Set(schedules.map((one) => one.carId))].map((carId) => ({
    carId,
    carNumber: `number ${carId}`,
    detailModelName: model,
    schedules: schedules.filter((one) => one.carId === carId),
  }));

/** A platform that has these entries and cars, and refuses what `refuses` says; it keeps what it was asked. */
async function look(
  schedules: Schedule[],
  {
    cars = [],
    changes = {},
    refuses = () => undefined,
    isSuspended = false,
  }: {
    cars?: RelatedCar[];
    changes?: Partial<LookAheadRequest>;
    refuses?: (call: string) => CallErrorCode | undefined;
    isSuspended?: boolean;
  } = {},
) {
  const asked: [string, unknown][] = [];
  const notified: unknown[] = [];
  const answer = async <T>(call: string, query: unknown, value: T): Promise<T> => {
    asked.push([call, query]);
    const code = refuses(call);
    if (code !== undefined)
      throw new PlatformCallError(code, 'no', { operation: call, retryAfterMs: 90_000 });
    return value;
  };
  const platform = {
    getCar: (id: number) => answer('getCar', id, { carNumber: 'read' }),
    listSchedules: (filter: object) => answer('listSchedules', filter, groups(schedules)),
    listRelatedCars: (id: number) => answer('listRelatedCars', id, cars),
  } as unknown as PlatformClient;
  const client = {
    withDeadline: (_: number, act: () => Promise<unknown>) => act(),
    options: { namespace: 'default' },
    workflowService: { listWorkflowExecutions: async () => ({ executions: [] }) },
    workflow: {
      signalWithStart: async (...signalled: unknown[]) => void notified.push(signalled),
    },
  } as unknown as Client;
  const roles: RoleDeps = {
    client,
    queue: 'workflows',
    alerts: { raise: async () => {}, clear: async () => false } as unknown as RoleDeps['alerts'],
    gate: { isSuspended: async () => isSuspended, forget: () => {} } as unknown as RoleDeps['gate'],
    settings: { probeMs: 1, historyEventsPerRun: 1 },
    moveStranded: async () => false,
  };
  const { lookAhead } = lookAheadActivity(platform, roles);
  const answered: LookAheadAnswer = await new MockActivityEnvironment().run(lookAhead, {
    ...request,
    ...changes,
  });
  return { answered, asked, notified };
}

it('F60: the look-ahead requests the days of the service zone by car number, and uses the first entry after its own', async () => {
  const { answered, asked } = await look([entry(90, 12, 20), own, next]);
  expect(asked[0]).toEqual([
    'listSchedules',
    { startDate: '2026-11-22', endDate: '2026-11-29', carNumber: '12가3456' },
  ]);
  expect(answered).toMatchObject({
    kind: 'seen',
    next: { scheduleId: 77, type: 'R', start: next.startAt, end: next.endAt },
  });
});

it('F60: a car number that no callback reported is read first; entries of other cars are not its own', async () => {
  const { answered, asked } = await look([own, { ...next, carId: 13 }], { changes: { carNumber: null } });
  expect(asked.map(([call]) => call)).toEqual(['getCar', 'listSchedules']);
  expect(asked[1]).toMatchObject(['listSchedules', { carNumber: 'read' }]);
  expect(answered).toEqual({ kind: 'seen', next: null, candidates: null });
});

it('F61: an external entry counts, the hold that the reservation proposed does not', async () => {
  const external = { scheduleType: 'S', reason: 'inspection' } as const;
  const proposed = { scheduleType: 'S', reason: 'overdue-return [hold overdue-return-8421]' } as const;
  const ofAnother = { scheduleType: 'S', reason: 'overdue-return [hold overdue-return-18421]' } as const;
  const nextOf = async (...entries: Schedule[]) => {
    const { answered } = await look([own, ...entries]);
    return answered.kind === 'seen' ? answered.next?.scheduleId : answered.code;
  };
  expect(await nextOf(entry(71, 1, 2, external))).toBe(71);
  expect(await nextOf(entry(72, 0, 3, proposed), next)).toBe(77);
  expect(await nextOf(entry(73, 1, 2, ofAnother), next)).toBe(73);
});

it('F61: candidates are other cars of the product, on sale, and free for the whole of that entry', async () => {
  const cars = [12, 13, 14, 15, 16].map((carId) => ({
    carId,
    carNumber: `number ${carId}`,
    detailModelName: model,
    saleYn: carId === 13 ? ('N' as const) : ('Y' as const),
  }));
  const busy = entry(80, 8, 10, { carId: 14 });
  const before = entry(81, 0, 3, { carId: 15 });
  const { answered, asked } = await look([own, next, busy, before], { cars });
  expect(answered).toMatchObject({
    candidates: [
      { id: 15, number: 'number 15' },
      { id: 16, number: 'number 16' },
    ],
  });
  expect(asked.at(-1)).toEqual([
    'listSchedules',
    { startDate: '2026-11-22', endDate: '2026-11-22', detailModelName: model },
  ]);
});

it('F64: where only the candidates cannot be read, the next use is reported all the same', async () => {
  const refuses = (call: string) => (call === 'listRelatedCars' ? ('NOT_FOUND' as const) : undefined);
  const { answered } = await look([own, next], { refuses });
  expect(answered).toMatchObject({ kind: 'seen', next: { scheduleId: 77 }, candidates: null });
});

it('F64: a platform that accepts no request is called once, and its Retry-After is reported', async () => {
  const { answered, asked } = await look([own, next], { refuses: () => 'RATE_LIMITED' });
  expect(asked).toHaveLength(1);
  expect(answered).toEqual({ kind: 'failed', code: 'RATE_LIMITED', retryAfterMs: 90_000 });
});

it('F64: a refused key is reported to its role, and nothing is sent while the role is suspended', async () => {
  const refused = await look([own, next], { refuses: () => 'UNAUTHORIZED' });
  expect(refused.answered).toEqual({ kind: 'failed', code: 'UNAUTHORIZED' });
  expect(refused.notified).toMatchObject([['role', { workflowId: 'role-supplier' }]]);
  const held = await look([own, next], { isSuspended: true });
  expect(held.answered.kind).toBe('failed');
  expect([held.asked, held.notified]).toEqual([[], []]);
});
