import type { PlatformCode } from '../../platform/errors.js';

/**
 * A coded refusal (specification, Errors; G25). Nothing has been changed when it is thrown. The message goes out
 * on the wire: it names fields and states, never their values of personal data.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly code: PlatformCode,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}
