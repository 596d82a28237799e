import { sleep } from '@temporalio/workflow';
import type { Memo } from '../../src/contract/car-write.js';
import { commandRole } from '../../src/contract/role.js';
import { type Ended, type Rejected, runLostCode, type Unknown } from '../../src/domain/shared/outcome.js';
import { attemptId } from './attempts.js';
import { platform } from './proxies.js';
import { readUntilAnswered, sendUntilAnswered } from './retry-window.js';

const secondReadAfterMs = 10_000;
const postsAtMost = 3;

interface MemoToWrite {
  carId: number;
  content: string;
  writerName?: string;
  /** Instant after which a request that the platform does not accept is not retried. */
  until: number;
  /** An earlier memo may have the same text; unset: the text is unique. */
  commonText?: boolean;
  /** Business identity of the write. */
  command: string;
}

/**
 * Writes a memo on a car once (F20). After a lost answer it searches for the text, without comparing clocks, and
 * writes it again only where two searches find nothing and no other run may have written it.
 */
export async function writeMemoOnce({
  until,
  commonText = false,
  command,
  ...memo
}: MemoToWrite): Promise<Ended<Memo>> {
  const retryWindow = { role: commandRole, until };
  const findMemo = async () => {
    const memoText = { carId: memo.carId, content: memo.content };
    return readUntilAnswered(
      () => platform.findCarMemo.executeWithOptions({ summary: 'find the memo' }, [memoText]),
      retryWindow,
    );
  };
  const before = commonText ? await findMemo() : undefined;
  if (before !== undefined && before.outcome !== 'applied') return toNotSent(before);
  let lost: Unknown | undefined;
  for (let posts = 1; ; posts++) {
    const written = await sendUntilAnswered((number) => {
      const id = attemptId(command, `${posts}.${number}`);
      const summary = `write the memo, time ${posts}`;
      return platform.addCarMemo.executeWithOptions({ summary }, [{ ...memo, id }]);
    }, retryWindow);
    if (written.outcome === 'applied') return { outcome: 'applied', memoId: written.value.memoId };
    if (written.outcome === 'rejected') return lost ?? written;
    lost ??= written;
    for (let reads = 1; reads <= 2; reads++) {
      if (reads === 2) await sleep(secondReadAfterMs, { summary: 'wait for a late memo' });
      const found = await findMemo();
      if (found.outcome !== 'applied') return lost;
      const { memoId, unread } = found.value;
      if (memoId !== null && memoId !== before?.value.memoId) return { outcome: 'applied', memoId };
      // a memo that cannot be read, and was not there before, may be this one
      if (unread !== undefined && unread.count > (before?.value.unread?.count ?? 0)) {
        return { ...lost, message: unread.why };
      }
    }
    const isOfAnotherRun = written.code === runLostCode;
    if (isOfAnotherRun || posts === postsAtMost || Date.now() > until) return lost;
  }
}

/** Nothing was sent, because the memos to compare with could not be read. */
function toNotSent({ code, message, ...rest }: Rejected | Unknown): Rejected {
  return {
    ...rest,
    outcome: 'rejected',
    code,
    message: message ?? 'the platform did not let the memos be read',
  };
}
