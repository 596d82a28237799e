import { statusName } from '../statuses.js';
import type { Action } from '../types.js';

export const actionNames: Readonly<Record<Action, string>> = {
  'dispatch.staff': 'assign dispatch staff',
  'dispatch.start': 'start dispatch',
  'dispatch.parkingImage': 'register the parking photo',
  'dispatch.carImage': 'register the car photo at dispatch',
  'dispatch.complete': 'complete dispatch',
  'recall.staff': 'assign recall staff',
  'recall.carImage': 'register the car photo at recall',
  'recall.complete': 'complete recall',
};

export function named(code: number): string {
  return `${code} (${statusName(code)})`;
}
export function actionTitle(action: Action): string {
  const name = actionNames[action];
  return name.charAt(0).toUpperCase() + name.slice(1);
}
