import type { Answer } from '../src/lifecycle/index.js';
import type { CommandAnswer } from '../src/platform/client/index.js';
import { PlatformCallError } from '../src/platform/errors.js';

/** Runs one attempt and says what its end means (L30); only a fault of our own is thrown. */
export async function answerOf(attempt: () => Promise<CommandAnswer>): Promise<Answer> {
  try {
    const { unparsed, reservationStatus } = await attempt();
    return {
      kind: 'accepted',
      ...(reservationStatus !== undefined && { status: reservationStatus }),
      ...(unparsed === true && { unparsed }),
    };
  } catch (error) {
    if (error instanceof PlatformCallError) return meaningOf(error);
    throw error;
  }
}

function meaningOf(error: PlatformCallError): Answer {
  const { code, message } = error;
  switch (code) {
    case 'RATE_LIMITED':
    case 'UNREACHABLE':
      return { kind: 'wait', code, ...retryAfter(error) };
    case 'UNAUTHORIZED':
    case 'FORBIDDEN':
      return { kind: 'suspended', code };
    default:
      if (error.outcome === 'unknown') return { kind: 'unknown', code };
      return { kind: 'refused', code, message, forState: code === 'ILLEGAL_STATE' };
  }
}

/** The platform's `Retry-After`, where it gave one. */
export function retryAfter({ details }: PlatformCallError): { retryAfterMs?: number } {
  return details.retryAfterMs === undefined ? {} : { retryAfterMs: details.retryAfterMs };
}
