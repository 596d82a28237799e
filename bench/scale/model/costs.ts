import type { Cost } from '../cost.js';
import { sumOf } from './arithmetic.js';
import type { Figures } from './figures.js';

/** Callbacks of a measured opening: the registration on both channels. */
const ofOpening = 2;

/**
 * A staff action's cost: what is left of a lifecycle without its opening and its further callbacks. The booking is in it,
 * shared by the actions.
 */
export function actionCost({ opening, callback, lifecycle }: Figures): Cost {
  const { callbacks, actions } = lifecycle.value;
  return sumOf([
    [1 / actions, lifecycle.value],
    [-1 / actions, opening.value],
    [-(callbacks - ofOpening) / actions, callback.value],
  ]);
}

/** A whole reservation of so many callbacks and staff actions. With those of the measured lifecycle it is the measured cost. */
export function reservationCost(figures: Figures, callbacks: number, actions: number): Cost {
  return sumOf([
    [1, figures.opening.value],
    [callbacks - ofOpening, figures.callback.value],
    [actions, actionCost(figures)],
  ]);
}
