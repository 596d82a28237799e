import { PlatformCallError } from './errors.js';
import { describeMisfit, unreadOf } from './unread.js';

/** `T` with the fields `K` known. */
export type Known<T, K extends keyof T> = T & { [Name in K]-?: NonNullable<T[Name]> };

/**
 * Checks that the fields that a step needs are known. The error's message has the operation, and for each unknown path
 * the expected and the received type and the gap; never a value.
 *
 * @param operation its name in the wire profile
 * @throws PlatformCallError UNREADABLE where one of the fields is unknown
 */
export function needed<T extends object, K extends keyof T & string>(
  operation: string,
  value: T,
  ...fields: readonly K[]
): Known<T, K> {
  if (knows(value, ...fields)) return value;
  throw new PlatformCallError('UNREADABLE', whyUnknown(operation, value, ...fields), { operation });
}

/** Whether all the fields are known. */
export function knows<T extends object, K extends keyof T & string>(
  value: T,
  ...fields: readonly K[]
): value is Known<T, K> {
  return fields.every((field) => value[field] !== null && value[field] !== undefined);
}

/** Why fields are unknown, in a form that helps an operator to correct the wire profile. */
export function whyUnknown<T extends object>(
  operation: string,
  value: T,
  ...fields: readonly (keyof T & string)[]
): string {
  const unknown = fields.filter((field) => !knows(value, field));
  const misfits = unreadOf(value);
  // a profile may have renamed the field: then list all unknown fields
  const named = misfits.filter(({ path }) => path.length === 0 || unknown.some((field) => field === path[0]));
  const places = (named.length > 0 ? named : misfits).slice(0, placesShown).map(describeMisfit);
  const what = places.length > 0 ? places.join('; ') : `${unknown.join(', ')} cannot be read`;
  return `${operation}: the answer does not fit the wire profile: ${what}`;
}

const placesShown = 4;
