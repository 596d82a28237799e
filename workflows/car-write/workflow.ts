import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineUpdate,
  patched,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CommandAudit } from '../../src/contract/audit.js';
import {
  awaitCarWriteUpdate,
  type CarWriteResult,
  type CarWriteStart,
  carWriteQuery,
} from '../../src/contract/car-write.js';
import { notStartedCode } from '../../src/domain/shared/outcome.js';
import { writeMemoOnce } from '../shared/car-memo.js';
import { auditActivities } from '../shared/proxies.js';
import { setSaleStatusOnce } from './sale-status.js';

/** How long a request is retried that the platform does not accept (F22). */
const retryWindowMs = 2 * 60_000;

const resultOf = defineQuery<CarWriteResult | null>(carWriteQuery);
const awaitResult = defineUpdate<CarWriteResult>(awaitCarWriteUpdate);

/**
 * One write on a car that staff requested (`write-{commandId}`): its sale status in a product, or a memo. Ends as
 * applied, rejected or unknown, with an entry in the audit. The update that waits for it is answered once the entry is written, or
 * the first try to write it has failed.
 */
export function carWrite(start: CarWriteStart): Promise<CarWriteResult> {
  let answer: CarWriteResult | null = null;
  setHandler(resultOf, () => answer);
  setHandler(awaitResult, async () => {
    await CancellationScope.nonCancellable(() => condition(() => answer !== null));
    return answer as CarWriteResult;
  });
  // one click on "cancel" in Temporal UI must not leave it half recorded
  return CancellationScope.nonCancellable(async () => {
    const at = Date.now();
    const isLate =
      at > workflowInfo().startTime.getTime() + retryWindowMs && patched('late-car-writes-are-refused');
    const result = isLate ? notStarted : await performWrite(start, at + retryWindowMs);
    const complete = () => {
      answer = result;
    };
    await auditActivities(complete).audit.executeWithOptions({ summary: 'audit' }, [
      { ...entryOf(start, at, result), answered: result },
    ]);
    complete();
    await condition(allHandlersFinished);
    return result;
  });
}

const notStarted: Readonly<CarWriteResult> = {
  outcome: 'rejected',
  code: notStartedCode,
  message: 'no worker began the write in time; nothing was sent',
};

function performWrite({ commandId, by, write }: CarWriteStart, until: number): Promise<CarWriteResult> {
  const command = `write:${commandId}`;
  if (write.kind === 'sale-status') {
    const { productId, carId, saleYn } = write;
    return setSaleStatusOnce({ productId, carId, saleYn }, { until, command });
  }
  const { carId, content } = write;
  return writeMemoOnce({ carId, content, writerName: by, until, commonText: true, command });
}

function entryOf({ commandId, by, write }: CarWriteStart, at: number, result: CarWriteResult): CommandAudit {
  const code = result.outcome === 'applied' ? null : result.code;
  const ended = { outcome: result.outcome, code };
  const base = { commandId, at, by };
  if (write.kind === 'memo') {
    const memoId = 'memoId' in result ? result.memoId : null;
    return {
      ...base,
      action: 'car.memo',
      subject: `car/${write.carId}`,
      reason: null,
      data: { ...ended, memoId },
    };
  }
  const before = 'before' in result ? result.before : null;
  const after = 'before' in result ? result.saleYn : null;
  return {
    ...base,
    action: 'product.sale-status',
    subject: `product/${write.productId}/car/${write.carId}`,
    reason: write.reason,
    data: { ...ended, wanted: write.saleYn, before, after },
  };
}
