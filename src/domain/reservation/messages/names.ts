import { type Action, staffActions } from '../actions.js';
import { statusName } from '../statuses.js';

/** An action within a sentence. */
export function actionName(action: Action): string {
  return staffActions[action].name;
}
export function named(code: number): string {
  return `${code} (${statusName(code)})`;
}
export function actionTitle(action: Action): string {
  const name = actionName(action);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
