import { cancellationSignal } from '@temporalio/activity';
import type { RoleGate } from '../src/alerts/role-gate.js';
import type { CarWriteActivities } from '../src/contract/activities.js';
import type { Attempt } from '../src/contract/attempt.js';
import { commandRole } from '../src/contract/role.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import { attemptOf } from './attempt.js';

/**
 * Sale status and memos of one car, and what reads them back: one attempt each, as the rental company (G26).
 * @param changed told after a write that the platform took, or may have taken: what was read before may be wrong now
 */
export function carWriteActivities(
  platform: PlatformClient,
  gate: Pick<RoleGate, 'isSuspended'>,
  changed: () => void,
): CarWriteActivities {
  const write = async <T>(call: () => Promise<T>): Promise<Attempt<T>> => {
    const attempt = await attemptOf(gate, commandRole, call);
    if (attempt.kind === 'done' || attempt.kind === 'unknown') changed();
    return attempt;
  };
  const options = () => ({ as: commandRole, signal: cancellationSignal() });
  return {
    addCarMemo: ({ carId, ...memo }) =>
      write(async () => {
        const { memoId } = await platform.addCarMemo(carId, memo, options());
        return { memoId };
      }),
    findCarMemo: ({ carId, content }) =>
      attemptOf(gate, commandRole, async () => {
        const memos = await platform.listCarMemos(carId, options());
        const same = memos.filter((memo) => memo.content === content).map(({ memoId }) => memoId);
        return { memoId: same.length === 0 ? null : Math.max(...same) };
      }),
    setSaleStatus: ({ productId, carId, saleYn }) =>
      write(async () => {
        await platform.setSaleStatus(productId, carId, saleYn, options());
        return { saleYn };
      }),
    findSaleStatus: ({ productId, carId }) =>
      attemptOf(gate, commandRole, async () => {
        const cars = await platform.listRelatedCars(productId, options());
        return { saleYn: cars.find((car) => car.carId === carId)?.saleYn ?? null };
      }),
  };
}
