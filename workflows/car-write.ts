import { CancellationScope } from '@temporalio/workflow';
import type { CommandAudit } from '../src/contract/audit.js';
import type { CarWriteResult, CarWriteStart } from '../src/contract/car-write.js';
import { writeMemoOnce } from './car-memo.js';
import { trail } from './proxies.js';
import { setSaleStatusOnce } from './sale-status.js';

/** A person who pressed waits no longer for the platform to take it, and may press again (F22). */
const patienceMs = 2 * 60_000;

/**
 * One write on a car that a person pressed (`write-{commandId}`): its sale status in a product, or a memo. Ends as
 * applied, rejected or unknown, with an entry in the audit.
 */
export function carWrite(start: CarWriteStart): Promise<CarWriteResult> {
  // one click on "cancel" in Temporal UI must not leave it half told
  return CancellationScope.nonCancellable(async () => {
    const at = Date.now();
    const result = await written(start, at + patienceMs);
    await trail.audit.executeWithOptions({ summary: 'audit' }, [entryOf(start, at, result)]);
    return result;
  });
}

function written({ by, write }: CarWriteStart, until: number): Promise<CarWriteResult> {
  if (write.kind === 'sale-status') {
    const { productId, carId, saleYn } = write;
    return setSaleStatusOnce({ productId, carId, saleYn }, until);
  }
  const { carId, content } = write;
  return writeMemoOnce({ carId, content, writerName: by, until, commonText: true });
}

function entryOf({ commandId, by, write }: CarWriteStart, at: number, result: CarWriteResult): CommandAudit {
  const code = result.outcome === 'applied' ? null : result.code;
  const told = { outcome: result.outcome, code };
  const press = { commandId, at, by };
  if (write.kind === 'memo') {
    const memoId = 'memoId' in result ? result.memoId : null;
    return {
      ...press,
      action: 'car.memo',
      subject: `car/${write.carId}`,
      reason: null,
      data: { ...told, memoId },
    };
  }
  const before = 'before' in result ? result.before : null;
  const after = 'before' in result ? result.saleYn : null;
  return {
    ...press,
    action: 'product.sale-status',
    subject: `product/${write.productId}/car/${write.carId}`,
    reason: write.reason,
    data: { ...told, wanted: write.saleYn, before, after },
  };
}
