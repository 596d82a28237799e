import { patched } from '@temporalio/workflow';
import type { LookAheadAnswer, LookAheadRequest } from '../../src/domain/reservation/index.js';
import { lookAheads } from '../shared/proxies.js';

/**
 * Reads on the platform what comes after a reservation (F60): one reading at a time, beside everything else. A run of an
 * earlier release whose return was already late reads nothing: its next run does.
 */
export class LookAheads {
  isOut = false;
  private mayLookAhead: boolean | undefined;

  /** @param onAnswer called with the result of a reading */
  constructor(private readonly onAnswer: (request: LookAheadRequest, answer: LookAheadAnswer) => void) {}

  /** Does nothing while a reading is under way; its result triggers the next check. */
  request(request: LookAheadRequest | null): void {
    if (request === null || this.isOut) return;
    this.mayLookAhead ??= patched('next-in-danger');
    if (!this.mayLookAhead) return;
    this.isOut = true;
    void readAhead(request).then((answer) => {
      this.isOut = false;
      this.onAnswer(request, answer);
    });
  }
}

/** A reading that timed out or lost its worker is repeated later, like any other failed one. */
async function readAhead(request: LookAheadRequest): Promise<LookAheadAnswer> {
  const summary = `look ahead for car ${request.carId}`;
  try {
    const answer: LookAheadAnswer | null = await lookAheads.lookAhead.executeWithOptions({ summary }, [
      request,
    ]);
    return answer?.kind === 'seen' || answer?.kind === 'failed' ? answer : lost;
  } catch {
    return lost;
  }
}

const lost: Readonly<LookAheadAnswer> = { kind: 'failed', code: 'ATTEMPT_LOST' };
