import type { VisibleEvent } from './schemas.js';

/** L60: what an event says as a viewer sees it. */
export function eventWithoutPersonalData(event: VisibleEvent): VisibleEvent {
  const { parking, ...said } = event;
  const personal = ['pickupAddress', 'pickupMemo', 'driver', 'companion'] as const;
  const hidden = personal.filter((name) => said[name] !== undefined).map((name) => [name, null] as const);
  return {
    ...said,
    ...Object.fromEntries(hidden),
    ...(parking !== undefined && { parking: { ...parking, memo: null, imageUrl: null } }),
  };
}
