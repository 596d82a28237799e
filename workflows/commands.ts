import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import type { CommandActivity } from '../src/contract/activities.js';
import type { Action, Answer, Attempt } from '../src/lifecycle/index.js';
import { platform } from './proxies.js';

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

/** Sends one attempt. An attempt that timed out or lost its worker ends as `unknown` (L24), never as an error. */
export async function sendAttempt(reservationId: number, attempt: Attempt): Promise<Answer> {
  try {
    return await platform[activityOf[attempt.action]].executeWithOptions(
      { summary: `${attempt.action}, attempt ${attempt.number}` },
      [{ reservationId, idempotencyKey: attempt.idempotencyKey, body: attempt.body }],
    );
  } catch (error) {
    if (error instanceof ActivityFailure) return { kind: 'unknown', code: codeOf(error.cause) };
    throw error;
  }
}

function codeOf(cause: unknown): string {
  if (cause instanceof TimeoutFailure) return 'TIMEOUT';
  if (cause instanceof ApplicationFailure) return 'ATTEMPT_FAILED';
  return 'ATTEMPT_LOST';
}
