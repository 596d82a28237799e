import { patched } from '@temporalio/workflow';
import type { LookAnswer, LookRequest } from '../../src/domain/reservation/index.js';
import { lookAheads } from '../shared/proxies.js';

/**
 * What comes after a reservation, looked up on the platform (F60): one look at a time, beside everything else. A run
 * that began before there were looks, and was late then, has none: its next run has.
 */
export class LookAheads {
  isOut = false;
  private mayLook: boolean | undefined;

  /** @param onAnswer called with the result of a reading */
  constructor(private readonly onAnswer: (request: LookRequest, answer: LookAnswer) => void) {}

  /** Does nothing while a look is out, for its end is looked at. */
  request(request: LookRequest | null): void {
    if (request === null || this.isOut) return;
    this.mayLook ??= patched('next-in-danger');
    if (!this.mayLook) return;
    this.isOut = true;
    void readAhead(request).then((answer) => {
      this.isOut = false;
      this.onAnswer(request, answer);
    });
  }
}

/** A look that timed out or lost its worker is made again later, like any other that was not answered. */
async function readAhead(request: LookRequest): Promise<LookAnswer> {
  const summary = `look ahead for car ${request.carId}`;
  try {
    const answer: LookAnswer | null = await lookAheads.lookAhead.executeWithOptions({ summary }, [request]);
    return answer?.kind === 'seen' || answer?.kind === 'failed' ? answer : lost;
  } catch {
    return lost;
  }
}

const lost: Readonly<LookAnswer> = { kind: 'failed', code: 'ATTEMPT_LOST' };
