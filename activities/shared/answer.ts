import type { Attempt } from '../../src/contract/attempt.js';
import type { Answer } from '../../src/domain/reservation/index.js';
import type { CommandAnswer } from '../../src/platform/client/index.js';

/** What the attempt of a staff action means for its reservation (L30). */
export function answerOf(attempt: Attempt<CommandAnswer>): Answer {
  switch (attempt.kind) {
    case 'done': {
      const { unparsed, reservationStatus } = attempt.value;
      return {
        kind: 'accepted',
        ...(reservationStatus !== undefined && { status: reservationStatus }),
        ...(unparsed === true && { unparsed }),
      };
    }
    case 'refused':
      return { ...attempt, forState: attempt.code === 'ILLEGAL_STATE' };
    case 'unknown':
      return { kind: 'unknown', code: attempt.code };
    default:
      return attempt;
  }
}
