import type { CarWriteActivities } from '../src/contract/activities.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import { knows, whyUnknown } from '../src/platform/needed.js';
import { companyCalls } from './shared/company-calls.js';
import { saleOf } from './shared/sale-of-car.js';
import type { SendDeps } from './shared/send-once.js';

/**
 * Sale status and memos of one car, and what reads them back: one attempt each, as the rental company (G26).
 * @param changed called after a write that the platform accepted, or may have accepted: what was read before may be wrong now
 */
export function carWriteActivities(
  platform: PlatformClient,
  sending: SendDeps,
  changed: () => void,
): CarWriteActivities {
  const { read, write } = companyCalls(sending, changed);
  return {
    addCarMemo: ({ carId, id, ...memo }) =>
      write(id, async (options) => {
        const { memoId } = await platform.addCarMemo(carId, memo, options);
        return { memoId };
      }),
    findCarMemo: ({ carId, content }) =>
      read(async (options) => {
        const memos = await platform.listCarMemos(carId, options);
        const same = memos.flatMap((memo) =>
          memo.content === content && memo.memoId !== null ? [memo.memoId] : [],
        );
        const mayBeIt = memos.filter(
          (memo) => !knows(memo, 'content') || (memo.content === content && !knows(memo, 'memoId')),
        );
        return {
          memoId: same.length === 0 ? null : Math.max(...same),
          ...(mayBeIt[0] !== undefined && {
            unread: {
              count: mayBeIt.length,
              why: whyUnknown('listCarMemos', mayBeIt[0], 'content', 'memoId'),
            },
          }),
        };
      }),
    setSaleStatus: ({ productId, carId, saleYn, id }) =>
      write(id, async (options) => {
        await platform.setSaleStatus(productId, carId, saleYn, options);
        return { saleYn };
      }),
    findSaleStatus: ({ productId, carId }) =>
      read(async (options) => {
        const cars = await platform.listRelatedCars(productId, options);
        return { saleYn: saleOf(carId, cars)?.saleYn ?? null };
      }),
  };
}
