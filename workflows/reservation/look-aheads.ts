import { patched } from '@temporalio/workflow';
import type { LookAheadAnswer, LookAheadRequest } from '../../src/domain/reservation/index.js';
import { lookAheads } from '../shared/proxies.js';

/**
 * What comes after a reservation, looked up on the platform (F60): one look at a time, beside everything else. A run
 * that began before there were looks, and was late then, has none: its next run has.
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

/** A look that timed out or lost its worker is made again later, like any other that was not answered. */
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
