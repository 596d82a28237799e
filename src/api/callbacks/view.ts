import type { VisibleEvent } from './schemas.js';

/** L60: the content of an event as a viewer sees it. */
export function eventWithoutPersonalData(event: VisibleEvent): VisibleEvent {
  const { parking, ...rest } = event;
  const personal = ['pickupAddress', 'pickupMemo', 'driver', 'companion'] as const;
  const hidden = personal.filter((name) => rest[name] !== undefined).map((name) => [name, null] as const);
  return {
    ...rest,
    ...Object.fromEntries(hidden),
    ...(parking !== undefined && { parking: { ...parking, memo: null, imageUrl: null } }),
  };
}
