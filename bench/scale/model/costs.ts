import type { Cost } from '../cost.js';
import { sumOf } from './arithmetic.js';
import type { Figures } from './figures.js';
import type { Fleet } from './fleet.js';

/** Callbacks of a measured opening: the registration on both channels. */
const ofOpening = 2;
/** Workflows in the cache of a worker. */
export const cachedAtMost = 1_000;
/** Each plan has two workers at least. */
const cached = 2 * cachedAtMost;

/** A callback alone, of a fleet with so many open reservations. */
export function callbackCost(figures: Figures, open: number): Cost {
  return sumOf([[1, figures.callback.value], ...replay(figures, open)]);
}

/**
 * A staff action's cost: what is left of a lifecycle without its opening and its further callbacks. The booking is in it,
 * shared by the actions.
 */
export function actionCost(figures: Figures, open: number): Cost {
  const { opening, callback, lifecycle } = figures;
  const { callbacks, actions } = lifecycle.value;
  return sumOf([
    [1 / actions, lifecycle.value],
    [-1 / actions, opening.value],
    [-(callbacks - ofOpening) / actions, callback.value],
    ...replay(figures, open),
  ]);
}

/**
 * A whole reservation. With callbacks and actions of the measured lifecycle, and where the caches hold all that is open, it is the
 * measured cost.
 */
export function reservationCost(figures: Figures, { open, callbacks, actions }: Reservations): Cost {
  return sumOf([
    [1, figures.opening.value],
    [callbacks - ofOpening, callbackCost(figures, open)],
    [actions, actionCost(figures, open)],
  ]);
}

type Reservations = Pick<Fleet, 'open' | 'callbacks' | 'actions'>;

/**
 * What is added because a workflow may be in no cache and its history is replayed. An upper bound: more workers than two hold more,
 * and callbacks and actions of one hour find their workflow in the cache.
 */
function replay({ callback, coldCallback }: Figures, open: number): [number, Cost][] {
  const share = Math.max(1 - cached / open, 0);
  return [
    [share, coldCallback.value],
    [-share, callback.value],
  ];
}
