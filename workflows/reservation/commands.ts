import { outcomeOfAction } from '../../src/contract/attempt.js';
import { type Answer, type Attempt, staffActions } from '../../src/domain/reservation/index.js';
import { attemptId, endOf } from '../shared/attempts.js';
import { platform } from '../shared/proxies.js';

/** Sends one attempt. Whatever becomes of it ends as an answer (L24), never as an error. */
export function sendAttempt(reservationId: number, attempt: Attempt): Promise<Answer> {
  const { action, body, idempotencyKey, number, waits } = attempt;
  const id = attemptId(idempotencyKey, `${number}.${waits}`);
  const options = { summary: `${action}, attempt ${number}` };
  const input = { reservationId, idempotencyKey, body, id };
  return endOf(
    () => platform[staffActions[action].operation].executeWithOptions(options, [input]),
    outcomeOfAction,
  );
}
