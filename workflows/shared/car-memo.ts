import { sleep } from '@temporalio/workflow';
import { type Ended, runLostCode } from '../../src/contract/attempt.js';
import type { MemoOutcome } from '../../src/contract/car-write.js';
import { commandRole } from '../../src/contract/role.js';
import { attemptId } from './attempts.js';
import { platform } from './proxies.js';
import { untilAnswered, untilRead } from './retry-window.js';

const secondLookMs = 10_000;
const postsAtMost = 3;

interface MemoToWrite {
  carId: number;
  content: string;
  writerName?: string;
  /** Waits no longer than this instant for the platform to take requests. */
  until: number;
  /** Its text may stand there already from another time; unset: the text names what makes it the only one. */
  commonText?: boolean;
  /** Business identity of the write. */
  command: string;
}

/**
 * Writes a memo on a car once (F20). After an answer that was lost it looks for the text, by no clock of anybody, and
 * writes it again only where two looks show nothing, and not what another run may have written.
 */
export async function writeMemoOnce({
  until,
  commonText = false,
  command,
  ...memo
}: MemoToWrite): Promise<MemoOutcome> {
  const patience = { role: commandRole, until };
  const look = async () => {
    const sought = { carId: memo.carId, content: memo.content };
    return untilRead(
      () => platform.findCarMemo.executeWithOptions({ summary: 'look for the memo' }, [sought]),
      patience,
    );
  };
  const before = commonText ? await look() : undefined;
  if (before !== undefined && before.kind !== 'done') return notWritten(before);
  let lost: Lost | undefined;
  for (let posts = 1; ; posts++) {
    const written = await untilAnswered((tries) => {
      const id = attemptId(command, `${posts}.${tries}`);
      const summary = `write the memo, time ${posts}`;
      return platform.addCarMemo.executeWithOptions({ summary }, [{ ...memo, id }]);
    }, patience);
    if (written.kind === 'done') return { outcome: 'applied', memoId: written.value.memoId };
    if (written.kind === 'refused') {
      return lost === undefined ? notWritten(written) : unknown(lost);
    }
    lost ??= written;
    for (let looks = 1; looks <= 2; looks++) {
      if (looks === 2) await sleep(secondLookMs, { summary: 'wait for a late memo' });
      const found = await look();
      if (found.kind !== 'done') return unknown(lost);
      const { memoId, unread } = found.value;
      if (memoId !== null && memoId !== before?.value.memoId) return { outcome: 'applied', memoId };
      // one that cannot be read, and was not there before, may be it
      if (unread !== undefined && unread.count > (before?.value.unread?.count ?? 0)) {
        return unknown({ ...lost, message: unread.why });
      }
    }
    const isOfAnotherRun = written.code === runLostCode;
    if (isOfAnotherRun || posts === postsAtMost || Date.now() > until) return unknown(lost);
  }
}

type Lost = Extract<Ended<never>, { kind: 'unknown' }>;

function unknown({ code, message }: Lost): MemoOutcome {
  return { outcome: 'unknown', code, ...(message !== undefined && { message }) };
}

/** Nothing was sent, or nothing of what was sent is there. */
function notWritten({ kind: _, ...end }: Exclude<Ended<never>, { kind: 'done' }>): MemoOutcome {
  return {
    outcome: 'rejected',
    ...end,
    message: end.message ?? 'the platform did not let the memos be read',
  };
}
