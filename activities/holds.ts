import { cancellationSignal } from '@temporalio/activity';
import type { RoleGate } from '../src/alerts/role-gate.js';
import type { ScheduleActivities } from '../src/contract/activities.js';
import { commandRole } from '../src/contract/role.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import type { Schedule } from '../src/platform/model.js';
import { attemptOf } from './attempt.js';

/** External schedule entries (type S) and the car they are for: one attempt each, as the rental company (G26). */
export function scheduleActivities(
  platform: PlatformClient,
  gate: Pick<RoleGate, 'isSuspended'>,
): ScheduleActivities {
  const attempt = <T>(call: (options: { as: typeof commandRole; signal: AbortSignal }) => Promise<T>) =>
    attemptOf(gate, commandRole, () => call({ as: commandRole, signal: cancellationSignal() }));
  return {
    readCar: ({ carId }) =>
      attempt(async (options) => {
        const { carNumber } = await platform.getCar(carId, options);
        return { carNumber };
      }),
    addSchedule: ({ carId, period, reason }) =>
      attempt(async (options) => {
        const request = { carId, startAt: period.start, endAt: period.end, reason };
        const { scheduleId } = await platform.addSchedule(request, options);
        return { scheduleId };
      }),
    changeSchedule: ({ scheduleId, carId, period, reason }) =>
      attempt(async (options) => {
        const request = { carId, startAt: period.start, endAt: period.end, reason };
        await platform.changeSchedule(scheduleId, request, options);
        return {};
      }),
    deleteSchedule: ({ scheduleId }) =>
      attempt(async (options) => {
        await platform.deleteSchedule(scheduleId, options);
        return {};
      }),
    getSchedule: ({ scheduleId }) =>
      attempt(async (options) => seen(await platform.getSchedule(scheduleId, options))),
  };
}

function seen({ startAt, endAt, reason }: Schedule) {
  return { period: { start: startAt, end: endAt }, reason };
}
