import { ApplicationFailure } from '@temporalio/workflow';
import { refusalType } from '../../src/contract/reservation.js';

/** Ends an update, in its validator or handler, with a refusal; the workflow continues. */
export function refuse(refusal: Readonly<{ code: string }>): never {
  throw ApplicationFailure.create({
    type: refusalType,
    message: refusal.code,
    details: [refusal],
    nonRetryable: true,
  });
}

/** The same; does nothing for null. */
export function refuseIfAny(refusal: Readonly<{ code: string }> | null): void {
  if (refusal !== null) refuse(refusal);
}
