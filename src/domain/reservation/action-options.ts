import { type Action, actions } from './actions.js';
import { type Belief, belief } from './belief.js';
import { isFinal, isMissing, refusalOf } from './guards.js';
import type { ReservationState } from './state.js';
import type { ActionOption } from './types.js';

/**
 * What becomes of each staff action if it is requested now, in the recommended order (L20, L27). At most one is `next`: the
 * first allowed step that is neither done nor under way.
 */
export function actionOptions(state: ReservationState, what: Belief = belief(state)): ActionOption[] {
  const next = nextAction(state, what);
  return actions.map((action) => {
    const refusal = refusalOf(state, what, { action });
    if (refusal === null)
      return { action, state: action === next ? 'next' : 'allowed', code: null, message: null };
    const { code, message, overridable } = refusal;
    return { action, state: overridable ? 'needs-override' : 'refused', code, message };
  });
}

/** The step that staff take next; null: there is none, or the one before it is still open. */
export function nextAction(state: ReservationState, what: Belief = belief(state)): Action | null {
  const isOpen = (action: Action) => state.commands.some((one) => one.action === action && !isFinal(one));
  const isLeft = (action: Action) =>
    isMissing(state, what, action) && refusalOf(state, what, { action }) === null;
  return actions.find((action) => isLeft(action) && !isOpen(action)) ?? null;
}
