import type { CarWriteActivities } from '../../src/contract/activities.js';
import type { Attempt } from '../../src/contract/attempt.js';

type NotDone = Exclude<Attempt<never>, { kind: 'done' }>;
/** What a request meets: an end that is not `done`, where `lost` says that the platform acted all the same. */
type Met = NotDone | { kind: 'lost' };

const timedOut: NotDone = { kind: 'unknown', code: 'TIMEOUT' };

/** Memos and sale statuses as the platform has them, behind the activities that write and look. */
export class FakeCars {
  readonly memos: { memoId: number; carId: number; content: string; writerName?: string }[] = [];
  /** By `productId/carId`; what is not there is not in the product. */
  readonly sale = new Map<string, 'Y' | 'N'>();
  /** What the next writes meet; after them every write is taken. */
  readonly writes: Met[] = [];
  /** What the next looks meet (undefined: an answer); after them every look is answered. */
  readonly looks: (NotDone | undefined)[] = [];
  /** Which attempt each write was. */
  readonly attempts: (string | undefined)[] = [];
  /** The calls in their order. */
  readonly calls: string[] = [];

  activities(): CarWriteActivities {
    const write = async <T>(call: string, act: () => T): Promise<Attempt<T>> => {
      this.calls.push(call);
      const met = this.writes.shift();
      if (met !== undefined && met.kind !== 'lost') return met;
      const value = act();
      return met === undefined ? { kind: 'done', value } : timedOut;
    };
    const look = async <T>(call: string, read: () => T): Promise<Attempt<T>> => {
      this.calls.push(call);
      return this.looks.shift() ?? { kind: 'done', value: read() };
    };
    return {
      addCarMemo: ({ id, ...memo }) => {
        this.attempts.push(id?.attempt);
        return write('addCarMemo', () => {
          const memoId = this.memos.length + 1;
          this.memos.push({ memoId, ...memo });
          return { memoId };
        });
      },
      findCarMemo: ({ carId, content }) =>
        look('findCarMemo', () => ({
          memoId:
            this.memos.findLast((memo) => memo.carId === carId && memo.content === content)?.memoId ?? null,
        })),
      setSaleStatus: ({ productId, carId, saleYn, id }) => {
        this.attempts.push(id?.attempt);
        return write('setSaleStatus', () => {
          this.sale.set(`${productId}/${carId}`, saleYn);
          return { saleYn };
        });
      },
      findSaleStatus: ({ productId, carId }) =>
        look('findSaleStatus', () => ({ saleYn: this.sale.get(`${productId}/${carId}`) ?? null })),
    };
  }
}
