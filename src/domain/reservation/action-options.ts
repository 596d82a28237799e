import { type Action, actions } from './actions.js';
import { type Belief, belief } from './belief.js';
import { isFinal, progressOf, refusalOf } from './guards.js';
import type { ReservationState } from './state.js';
import type { ActionOption, CommandState, Progress, ReservationView } from './types.js';

/** What decides about actions: the status, what is left to do, and the actions whose commands are open. */
interface Standing {
  code: number | null;
  progress: Progress;
  open: readonly Action[];
}

/**
 * What becomes of each staff action if it is requested now, in the recommended order (L20, L27). At most one is `next`: the
 * first allowed step that is neither done nor under way. Empty for a view of an earlier version.
 */
export function actionOptions({
  status: { code },
  progress,
  commands,
}: Pick<ReservationView, 'status' | 'progress'> & {
  commands: readonly { action: Action; outcome: CommandState }[];
}): ActionOption[] {
  if (progress === null) return [];
  const open = commands.flatMap(({ action, outcome }) => (isFinal({ state: outcome }) ? [] : [action]));
  const next = firstLeft({ code, progress, open });
  return actions.map((action) => {
    const refusal = refusalOf(code, progress, { action });
    if (refusal === null)
      return { action, state: action === next ? 'next' : 'allowed', code: null, message: null };
    const { code: why, message, overridable } = refusal;
    return { action, state: overridable ? 'needs-override' : 'refused', code: why, message };
  });
}

/** The step that staff take next; null: there is none, or the one before it is still open. */
export function nextAction(state: ReservationState, what: Belief = belief(state)): Action | null {
  const open = state.commands.flatMap((one) => (isFinal(one) ? [] : [one.action]));
  return firstLeft({ code: what.status.code, progress: progressOf(state, what), open });
}

function firstLeft({ code, progress, open }: Standing): Action | null {
  const isNext = (action: Action) => !open.includes(action) && refusalOf(code, progress, { action }) === null;
  return progress.missing.find(isNext) ?? null;
}
