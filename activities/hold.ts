import type { ScheduleActivities } from '../src/contract/activities.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import { needed } from '../src/platform/needed.js';
import { companyCalls } from './shared/company-calls.js';
import type { SendDeps } from './shared/send-once.js';

/**
 * External schedule entries (type S) and the car they are for: one attempt each, as the rental company (G26).
 * @param changed called after a write that the platform accepted, or may have accepted
 */
export function scheduleActivities(
  platform: PlatformClient,
  sending: SendDeps,
  changed: () => void,
): ScheduleActivities {
  const { read, write } = companyCalls(sending, changed);
  return {
    readCar: ({ carId }) =>
      read(async (options) => {
        const { carNumber } = needed('getCar', await platform.getCar(carId, options), 'carNumber');
        return { carNumber };
      }),
    addSchedule: ({ carId, period, reason, id }) =>
      write(id, async (options) => {
        const request = { carId, startAt: period.start, endAt: period.end, reason };
        const { scheduleId } = await platform.addSchedule(request, options);
        return { scheduleId };
      }),
    changeSchedule: ({ scheduleId, carId, period, reason, id }) =>
      write(id, async (options) => {
        const request = { carId, startAt: period.start, endAt: period.end, reason };
        await platform.changeSchedule(scheduleId, request, options);
        return {};
      }),
    deleteSchedule: ({ scheduleId, id }) =>
      write(id, async (options) => {
        await platform.deleteSchedule(scheduleId, options);
        return {};
      }),
    getSchedule: ({ scheduleId }) =>
      read(async (options) => {
        const entry = await platform.getSchedule(scheduleId, options);
        const { startAt, endAt, reason } = needed('getSchedule', entry, 'startAt', 'endAt');
        return { period: { start: startAt, end: endAt }, reason };
      }),
  };
}
