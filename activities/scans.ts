import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import type { ScanActivities } from '../src/contract/activities.js';
import type { Attempt } from '../src/contract/attempt.js';
import { commandRole, type Role, roleSuspendedCode } from '../src/contract/role.js';
import type { ScheduleEntry } from '../src/fleet/holds/index.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import type { Schedule } from '../src/platform/model.js';
import { attemptOf } from './attempt.js';
import { type RoleDeps, roleActivities } from './roles.js';

const keyWaitMs = 30_000;

/** One read of a long scan: what it threw says how it is tried again. */
export function scanRead(roles: RoleDeps) {
  const { suspendRole } = roleActivities(roles);
  return async <T>(role: Role, call: () => Promise<T>): Promise<T> => {
    const attempt = await attemptOf(roles.gate, role, call);
    if (attempt.kind === 'done') return attempt.value;
    if (attempt.kind === 'suspended' && attempt.code !== roleSuspendedCode) {
      await suspendRole({ role, reservationId: null, code: attempt.code });
    }
    throw failureOf(attempt);
  };
}

/** One request of a long scan each; their queue's worker paces them, and Temporal tries them again. */
export function scanActivities(platform: PlatformClient, roles: RoleDeps): ScanActivities {
  const read = scanRead(roles);
  const options = () => ({ as: commandRole, signal: cancellationSignal() });
  return {
    listProductIds: () =>
      read(commandRole, async () => {
        const products = await platform.listProducts({}, options());
        return products.map(({ productId }) => productId);
      }),
    carInProduct: ({ productId, carId }) =>
      read(commandRole, async () => {
        const cars = await platform.listRelatedCars(productId, options());
        const car = cars.find((one) => one.carId === carId);
        return car === undefined ? null : { saleYn: car.saleYn };
      }),
    carSchedules: ({ carId, ...filter }) =>
      read(commandRole, async () => {
        const groups = await platform.listSchedules(filter, options());
        return groups.flatMap((group) => (group.carId === carId ? group.schedules.map(entryOf) : []));
      }),
  };
}

function entryOf({ scheduleId, scheduleType, startAt, endAt, reason }: Schedule): ScheduleEntry {
  return { scheduleId, type: scheduleType, start: startAt, end: endAt, reason };
}

/** Its type is the code; a read that the platform refused is not tried again. */
function failureOf(attempt: Exclude<Attempt<never>, { kind: 'done' }>): ApplicationFailure {
  const waitMs = attempt.kind === 'suspended' ? keyWaitMs : attempt.kind === 'wait' && attempt.retryAfterMs;
  return ApplicationFailure.create({
    type: attempt.code,
    message: `the platform did not answer a read (${attempt.code})`,
    nonRetryable: attempt.kind === 'refused',
    ...(waitMs && { nextRetryDelay: waitMs }),
  });
}
