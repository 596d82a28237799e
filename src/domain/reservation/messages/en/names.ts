import type { Action } from '../../actions.js';
import { statusName } from '../../statuses.js';
import type { CarFact } from '../../types.js';

const actions: Readonly<Record<Action, string>> = {
  'dispatch.staff': 'assign dispatch staff',
  'dispatch.start': 'start dispatch',
  'dispatch.parkingImage': 'register the parking photo',
  'dispatch.carImage': 'register the car photo at dispatch',
  'dispatch.complete': 'complete dispatch',
  'recall.staff': 'assign recall staff',
  'recall.carImage': 'register the car photo at recall',
  'recall.complete': 'complete recall',
};

/** An action within a sentence: "… asked to start dispatch". */
export function actionName(action: Action): string {
  return actions[action];
}
export function actionTitle(action: Action): string {
  const name = actionName(action);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
export function named(code: number): string {
  return `${code} (${statusName(code)})`;
}
export function pairs(list: readonly (readonly [number, number])[]): string {
  return list.map(([a, b]) => `${named(a)} and ${named(b)}`).join('; ');
}
export function carName({ id, number }: CarFact): string {
  return number === null ? `${id}` : `${id} (${number})`;
}
/** `parkingImageUrl`: parking image url. */
export function factName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
