import {
  type Action,
  type ActionPath,
  actions,
  methodOf as methodOfAction,
  pathOf,
  staffActions,
} from '../../domain/reservation/actions.js';

export type { ActionPath };

export const actionOf = (path: string): Action => path.replace('/', '.') as Action;

/** All eight, in the recommended order. */
export const actionPaths = actions.map(pathOf);
export const dispatchActions = actionPaths.filter(
  (path) => staffActions[actionOf(path)].phase === 'dispatch',
);
export const recallActions = actionPaths.filter((path) => staffActions[actionOf(path)].phase === 'recall');

export const isPhoto = (path: ActionPath) => staffActions[actionOf(path)].hasPhoto;
export const methodOf = (path: ActionPath) => methodOfAction(actionOf(path));

/** What a customer does with a booked car, on the platform. */
export type CustomerMove = 'start-use' | 'return' | 'cancel';
