import { patched } from '@temporalio/workflow';
import type { Memo } from '../../src/contract/car-write.js';
import type { NoteToWrite } from '../../src/domain/reservation/index.js';
import { type Outcome, waitsFor } from '../../src/domain/shared/outcome.js';
import { writeMemoOnce } from '../shared/car-memo.js';
import { auditActivities } from '../shared/proxies.js';

/** After that the run may end, and the note waits in its state. */
const retryWindowMs = 5 * 60_000;

/** Writes the notes of a recall to the car's memos (F58): one at a time, beside everything else. */
export class RecallNotes {
  /** A note, or its audit entry, is being written. */
  isOut = false;

  constructor(
    private readonly reservationId: number,
    /** Called with the outcome of a note. */
    private readonly onAnswer: (note: NoteToWrite, answer: Outcome<Memo>) => void,
    /** Called when the note and its audit entry are written, or failed. */
    private readonly onEnd: () => void,
  ) {}

  /** Does nothing while a note is out: `onEnd` follows. */
  write(note: NoteToWrite | null): void {
    if (note === null || this.isOut) return;
    this.isOut = true;
    const ended = () => {
      this.isOut = false;
      this.onEnd();
    };
    void this.finish(note).then(ended, ended);
  }

  private async finish(note: NoteToWrite): Promise<void> {
    const answer = await writeNote(this.reservationId, note);
    this.onAnswer(note, answer);
    if (answer.outcome === 'held-back') return;
    const { commandId, at, writerName: by, carId } = note;
    const { outcome, memoId = null, code = null } = { memoId: undefined, code: undefined, ...answer };
    await auditActivities().audit.executeWithOptions({ summary: 'audit' }, [
      {
        commandId,
        at,
        by,
        action: 'recall.note',
        subject: `reservation/${this.reservationId}`,
        reason: null,
        data: { carId, outcome, memoId, code },
      },
    ]);
  }
}

async function writeNote(reservationId: number, note: NoteToWrite): Promise<Outcome<Memo>> {
  const { commandId, carId, content, writerName, waits } = note;
  const command = `${reservationId}:recall.note:${commandId}.${waits}`;
  const until = Date.now() + retryWindowMs;
  const ended = await writeMemoOnce({ carId, content, writerName, until, command });
  const isHeldBack = ended.outcome === 'rejected' && mayBeWrittenLater(ended.code);
  return isHeldBack ? { outcome: 'held-back', code: ended.code } : ended;
}

/** A run of 0.3.0 gave up a note that the platform forbade. */
function mayBeWrittenLater(code: string): boolean {
  return waitsFor(code) !== null && (code !== 'FORBIDDEN' || patched('forbidden-notes-wait'));
}
