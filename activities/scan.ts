import { ApplicationFailure } from '@temporalio/activity';
import type { ScanActivities } from '../src/contract/activities.js';
import { commandRole, type Role } from '../src/contract/role.js';
import type { ScheduleEntry, Unread } from '../src/domain/hold/index.js';
import { type Applied, type Outcome, roleSuspendedCode, waitsFor } from '../src/domain/shared/outcome.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import { knows, whyUnknown } from '../src/platform/needed.js';
import { type RoleDeps, roleActivities } from './role.js';
import { readOnce } from './shared/attempt.js';
import { saleOf } from './shared/sale-of-car.js';
import { ofCar, type ReadEntry, readGroups } from './shared/schedules.js';
import { readOptions } from './shared/time.js';

const keyWaitMs = 30_000;

/** One read of a long scan. The error that it throws decides whether Temporal retries it. */
export function scanRead(roles: RoleDeps) {
  const { suspendRole } = roleActivities(roles);
  return async <T>(role: Role, call: () => Promise<T>): Promise<T> => {
    const read = await readOnce(roles.gate, role, call);
    if (read.outcome === 'applied') return read.value;
    if (waitsFor(read.code) === 'key' && read.code !== roleSuspendedCode) {
      await suspendRole({ role, reservationId: null, code: read.code });
    }
    throw failureOf(read);
  };
}

/** One request of a long scan each; their queue's worker paces them, and Temporal tries them again. */
export function scanActivities(platform: PlatformClient, roles: RoleDeps): ScanActivities {
  const read = scanRead(roles);
  const options = () => ({ as: commandRole, ...readOptions() });
  return {
    listProductIds: () =>
      read(commandRole, async () => {
        const products = await platform.listProducts({}, options());
        return products.map((product) =>
          knows(product, 'productId')
            ? product.productId
            : { unread: whyUnknown('listProducts', product, 'productId') },
        );
      }),
    carInProduct: ({ productId, carId }) =>
      read(commandRole, async () => {
        return saleOf(carId, await platform.listRelatedCars(productId, options()));
      }),
    carSchedules: ({ carId, ...filter }) =>
      read(commandRole, async () => {
        const { entries, unread } = ofCar(readGroups(await platform.listSchedules(filter, options())), carId);
        return [...entries.map(entryOf), ...unread.map(({ why }) => ({ unread: why }))];
      }),
  };
}

/** The reason of an S entry names its owner; an R entry needs none. */
function entryOf(entry: ReadEntry): ScheduleEntry | Unread {
  const { scheduleId, scheduleType: type, startAt: start, endAt: end, reason } = entry;
  if (reason === null && type === 'S') return { unread: whyUnknown('listSchedules', entry, 'reason') };
  return { scheduleId, type, start, end, reason: reason ?? '' };
}

/** Its type is the code; a read that would fail the same way is not retried. */
function failureOf(read: Exclude<Outcome, Applied<object>>): ApplicationFailure {
  const waitMs =
    waitsFor(read.code) === 'key' ? keyWaitMs : read.outcome === 'held-back' && read.retryAfterMs;
  const message = 'message' in read ? read.message : undefined;
  return ApplicationFailure.create({
    type: read.code,
    message: message ?? `the platform was not read (${read.code})`,
    nonRetryable: message !== undefined,
    ...(waitMs && { nextRetryDelay: waitMs }),
  });
}
