import { type Action, actions, staffActions } from '../../domain/reservation/actions.js';

type PathOf<A extends string> = A extends `${infer Phase}.${infer Step}` ? `${Phase}/${Step}` : never;
/** A staff action by the tail of its path, which the platform and the status API share: `dispatch/start`. */
export type ActionPath = PathOf<Action>;

const pathOf = (action: Action) => action.replace('.', '/') as ActionPath;
export const actionOf = (path: string): Action => path.replace('/', '.') as Action;

/** All eight, in the recommended order. */
export const actionPaths = actions.map(pathOf);
export const dispatchActions = actionPaths.filter(
  (path) => staffActions[actionOf(path)].phase === 'dispatch',
);
export const recallActions = actionPaths.filter((path) => staffActions[actionOf(path)].phase === 'recall');

export const isPhoto = (path: ActionPath) => staffActions[actionOf(path)].hasPhoto;
export const methodOf = (path: ActionPath) => (isPhoto(path) ? 'POST' : 'PUT');

/** What a customer does with a booked car, on the platform. */
export type CustomerMove = 'start-use' | 'return' | 'cancel';
