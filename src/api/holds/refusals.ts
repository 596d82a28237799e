import type { HoldCommandView, HoldFacts } from '../../domain/hold/index.js';
import { message } from '../../domain/hold/messages/message.js';
import type { KnownHold } from '../../temporal/client/holds/types.js';
import type { WriteMoment } from '../http/moments.js';
import { platformRefusal } from '../http/outcome.js';
import { Problem } from '../http/problem.js';
import { message as sentence } from '../messages/message.js';

// Why a request about a hold is refused: each as the problem that the route throws.

/** F09: the id may be one of the platform's schedule. */
export function noHold(holdId: string): Problem {
  return new Problem('HOLD_NOT_FOUND', sentence('api.no-hold', { isNumber: /^\d+$/.test(holdId) }));
}

export function overlapProblem({ holdId, period }: HoldFacts, write: WriteMoment): Problem {
  return new Problem('HOLD_OVERLAPS', sentence('api.hold-overlaps', { holdId, until: write(period.end) }), {
    members: { holdId },
  });
}

/** F14: a hold that is over holds no car, and a proposal makes one hold. */
export function proposalUsed({ holdId, state }: KnownHold): Problem {
  return new Problem('HOLD_OVER', sentence('api.proposed-hold-over', { state }), { members: { holdId } });
}

/** F15: it would block the proposal. */
export function proposalIdProblem(): Problem {
  return new Problem('IDEMPOTENCY_KEY_INVALID', sentence('api.key-of-proposal', {}));
}

export function notPlaced({ holdId, carId }: KnownHold, { code, message: text, ...why }: Why): Problem {
  if (code === 'NOT_FOUND') {
    return new Problem('CAR_NOT_FOUND', sentence('api.no-car', { carId }));
  }
  return platformRefusal(code, text, 409, { holdId, ...why });
}

type Why = NonNullable<HoldCommandView['refused']>;

const overBefore: Why = { code: 'HOLD_OVER', message: message('hold.is-over', {}) };

export function notDone({ commandId, refused }: HoldCommandView): Problem {
  const { code, message: text, ...why } = refused ?? overBefore;
  if (code === 'HOLD_OVER' || code === 'HOLD_ENTRY_GONE')
    return new Problem(code, text, { members: { commandId } });
  return platformRefusal(code, text, 409, { commandId, ...why });
}
