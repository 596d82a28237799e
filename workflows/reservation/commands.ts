import type { CommandActivity } from '../../src/contract/activities.js';
import { outcomeOfAction } from '../../src/contract/attempt.js';
import type { Action, Answer, Attempt } from '../../src/domain/reservation/index.js';
import { attemptId, endOf } from '../shared/attempts.js';
import { platform } from '../shared/proxies.js';

const activityOf: Readonly<Record<Action, CommandActivity>> = {
  'dispatch.staff': 'dispatchStaff',
  'dispatch.start': 'dispatchStart',
  'dispatch.parkingImage': 'dispatchParkingImage',
  'dispatch.carImage': 'dispatchCarImage',
  'dispatch.complete': 'dispatchComplete',
  'recall.staff': 'recallStaff',
  'recall.carImage': 'recallCarImage',
  'recall.complete': 'recallComplete',
};

/** Sends one attempt. Whatever becomes of it ends as an answer (L24), never as an error. */
export function sendAttempt(reservationId: number, attempt: Attempt): Promise<Answer> {
  const { action, body, idempotencyKey, number, waits } = attempt;
  const id = attemptId(idempotencyKey, `${number}.${waits}`);
  const options = { summary: `${action}, attempt ${number}` };
  const input = { reservationId, idempotencyKey, body, id };
  return endOf(() => platform[activityOf[action]].executeWithOptions(options, [input]), outcomeOfAction);
}
