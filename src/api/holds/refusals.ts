import type { HoldCommandView, HoldFacts } from '../../domain/hold/index.js';
import { message } from '../../domain/hold/messages/message.js';
import type { KnownHold } from '../../temporal/client/holds/types.js';
import type { WriteMoment } from '../http/moments.js';
import { platformRefusal } from '../http/outcome.js';
import { Problem } from '../http/problem.js';

// Why a request about a hold is refused: each as the problem that the route throws.

/** F09: the id may be one of the platform's schedule. */
export function noHold(holdId: string): Problem {
  const hint = /^\d+$/.test(holdId)
    ? ` An entry of the platform's schedule is not a hold; one of a reservation (type R) can be neither edited nor deleted, it changes with its reservation.`
    : '';
  return new Problem('HOLD_NOT_FOUND', `There is no hold of this id. Check the id.${hint}`);
}

export function overlapProblem({ holdId, period }: HoldFacts, write: WriteMoment): Problem {
  const until = write(period.end);
  return new Problem(
    'HOLD_OVERLAPS',
    `Hold ${holdId} has the car in this period, until ${until}: change or release that one, or choose another period.`,
    { members: { holdId } },
  );
}

/** F14: a hold that is over holds no car, and a proposal makes one hold. */
export function proposalUsed({ holdId, state }: KnownHold): Problem {
  return new Problem(
    'HOLD_OVER',
    `The proposed hold is over (${state}). Create a new hold for the car where it must stay blocked.`,
    { members: { holdId } },
  );
}

/** F15: it would block the proposal. */
export function proposalIdProblem(): Problem {
  const detail = 'The Idempotency-Key is that of a proposed hold. Send another, such as a UUID.';
  return new Problem('IDEMPOTENCY_KEY_INVALID', detail);
}

export function notPlaced({ holdId, carId }: KnownHold, { code, message: text, ...why }: Why): Problem {
  if (code === 'NOT_FOUND') {
    return new Problem(
      'CAR_NOT_FOUND',
      `The platform knows no car ${carId} of this company. Check the car id.`,
    );
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
