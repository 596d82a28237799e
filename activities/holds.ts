import { cancellationSignal } from '@temporalio/activity';
import type { RoleGate } from '../src/alerts/role-gate.js';
import type { ScheduleActivities } from '../src/contract/activities.js';
import type { Attempt } from '../src/contract/attempt.js';
import { commandRole } from '../src/contract/role.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import type { Schedule } from '../src/platform/model.js';
import { attemptOf } from './attempt.js';

/**
 * External schedule entries (type S) and the car they are for: one attempt each, as the rental company (G26).
 * @param changed told after a write that the platform took, or may have taken
 */
export function scheduleActivities(
  platform: PlatformClient,
  gate: Pick<RoleGate, 'isSuspended'>,
  changed: () => void,
): ScheduleActivities {
  const attempt = <T>(call: (options: { as: typeof commandRole; signal: AbortSignal }) => Promise<T>) =>
    attemptOf(gate, commandRole, () => call({ as: commandRole, signal: cancellationSignal() }));
  const write = async <T>(call: Parameters<typeof attempt<T>>[0]): Promise<Attempt<T>> => {
    const ended = await attempt(call);
    if (ended.kind === 'done' || ended.kind === 'unknown') changed();
    return ended;
  };
  return {
    readCar: ({ carId }) =>
      attempt(async (options) => {
        const { carNumber } = await platform.getCar(carId, options);
        return { carNumber };
      }),
    addSchedule: ({ carId, period, reason }) =>
      write(async (options) => {
        const request = { carId, startAt: period.start, endAt: period.end, reason };
        const { scheduleId } = await platform.addSchedule(request, options);
        return { scheduleId };
      }),
    changeSchedule: ({ scheduleId, carId, period, reason }) =>
      write(async (options) => {
        const request = { carId, startAt: period.start, endAt: period.end, reason };
        await platform.changeSchedule(scheduleId, request, options);
        return {};
      }),
    deleteSchedule: ({ scheduleId }) =>
      write(async (options) => {
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
