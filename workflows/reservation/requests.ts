import { outcomeOfAction } from '../../src/contract/attempt.js';
import { commandRole } from '../../src/contract/role.js';
import { type Answer, type AttemptToSend, staffActions } from '../../src/domain/reservation/index.js';
import { attemptId, endOf, keepsId } from '../shared/attempts.js';
import { platform, roles } from '../shared/proxies.js';

const slowAfterMs = 1_000;

interface Answered {
  commandId: string;
  answer: Answer;
}

/** Sends staff actions, one request at a time (L26), and reports a refused key to its role's workflow. */
export class Requests {
  /** When the request was sent that is on the wire, or whose answer is not applied yet; null: none is. */
  private sentAt: number | null = null;
  /** The answer before was late. */
  private wasSlow = false;
  private answers: Answered[] = [];
  private reportsOut = 0;

  constructor(
    private readonly reservationId: number,
    /** Called when an answer has arrived. */
    private readonly onAnswer: () => void,
    /** Called when a report of a refused key has ended. */
    private readonly onReported: () => void,
  ) {}

  get isOut(): boolean {
    return this.sentAt !== null;
  }

  /** The platform is slow to answer what is out, or was so before: most answers take a tenth of this. */
  get isSlow(): boolean {
    return this.sentAt !== null && (this.wasSlow || isLate(this.sentAt));
  }

  get hasAnswers(): boolean {
    return this.answers.length > 0;
  }

  /** A refused key is being reported to the role's workflow: until that has ended, the run does not end. */
  get isReporting(): boolean {
    return this.reportsOut > 0;
  }

  send(attempt: AttemptToSend): void {
    this.sentAt = Date.now();
    void sendAttempt(this.reservationId, attempt).then((answer) => {
      // the run decides: a worker's mark counts behind the patch alone
      const marked = answer.outcome === 'held-back' ? { ...answer, keepsId: keepsId(answer) } : answer;
      this.answers.push({ commandId: attempt.commandId, answer: marked });
      this.onAnswer();
    });
  }

  drainAnswers(): Answered[] {
    const answers = this.answers.splice(0);
    if (answers.length > 0 && this.sentAt !== null) {
      this.wasSlow = isLate(this.sentAt);
      this.sentAt = null;
    }
    return answers;
  }

  /** @param refused `restored`: the command was sent because the key was reported to work */
  reportSuspension(refused: { code: string; restored: boolean }): void {
    const { reservationId } = this;
    this.reportsOut += 1;
    const ended = () => {
      this.reportsOut -= 1;
      this.onReported();
    };
    void roles.suspendRole({ role: commandRole, reservationId, ...refused }).then(ended, ended);
  }
}

function isLate(sentAt: number): boolean {
  return Date.now() - sentAt >= slowAfterMs;
}

/** Sends one attempt. Every outcome is an answer (L24), never an error. */
function sendAttempt(reservationId: number, attempt: AttemptToSend): Promise<Answer> {
  const { action, body, idempotencyKey, number, waits } = attempt;
  const id = attemptId(idempotencyKey, `${number}.${waits}`);
  const options = { summary: `${action}, attempt ${number}` };
  const input = { reservationId, idempotencyKey, body, id };
  return endOf(
    () => platform[staffActions[action].operation].executeWithOptions(options, [input]),
    outcomeOfAction,
  );
}
