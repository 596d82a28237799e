import type { Operations } from '../../../platform/profile.js';
import type { Finding } from '../finding.js';
import type { Platform } from './ask.js';
import { checkCars } from './cars.js';
import type { Keys } from './keys.js';
import type { May } from './lists.js';
import { checkProducts } from './products.js';
import { checkSchedules } from './schedules.js';

/** Every read of the specification, as far as the keys reach, against the wire profile. */
export async function* checkReads(platform: Platform, keys: Keys): AsyncGenerator<Finding> {
  const may: May = (name, title) => {
    const { roles } = platform.profile.operations[name] as Operations['getCar'];
    const role = (['supplier', 'channel'] as const).find(
      (one) => roles.includes(one) && keys[one] !== undefined,
    );
    const key = role && keys[role];
    return role === undefined || key === undefined ? undefined : { name, title, role, key };
  };
  yield* checkProducts(platform, may);
  yield* checkCars(platform, may);
  yield* checkSchedules(platform, may);
}
