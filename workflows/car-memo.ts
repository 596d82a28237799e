import { sleep } from '@temporalio/workflow';
import type { MemoOutcome } from '../src/contract/car-write.js';
import { commandRole } from '../src/contract/role.js';
import { untilAnswered, untilRead } from './patience.js';
import { platform } from './proxies.js';

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
}

/**
 * Writes a memo on a car once (F20). After an answer that was lost it looks for the text, by no clock of anybody, and
 * writes it again only where two looks show nothing.
 */
export async function writeMemoOnce({
  until,
  commonText = false,
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
  let lost: string | undefined;
  for (let posts = 1; ; posts++) {
    const written = await untilAnswered(
      () => platform.addCarMemo.executeWithOptions({ summary: `write the memo, time ${posts}` }, [memo]),
      patience,
    );
    if (written.kind === 'done') return { outcome: 'applied', memoId: written.value.memoId };
    if (written.kind === 'refused') {
      return lost === undefined ? notWritten(written) : { outcome: 'unknown', code: lost };
    }
    lost ??= written.code;
    for (let looks = 1; looks <= 2; looks++) {
      if (looks === 2) await sleep(secondLookMs, { summary: 'wait for a late memo' });
      const found = await look();
      if (found.kind !== 'done') return { outcome: 'unknown', code: lost };
      const { memoId } = found.value;
      if (memoId !== null && memoId !== before?.value.memoId) return { outcome: 'applied', memoId };
    }
    if (posts === postsAtMost || Date.now() > until) return { outcome: 'unknown', code: lost };
  }
}

/** Nothing was sent, or nothing of what was sent is there. */
function notWritten(end: { kind: 'unknown' | 'refused'; code: string; message?: string }): MemoOutcome {
  const { code, message = 'the platform did not let the memos be read' } = end;
  return { outcome: 'rejected', code, message };
}
