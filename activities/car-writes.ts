import { cancellationSignal } from '@temporalio/activity';
import type { RoleGate } from '../src/alerts/role-gate.js';
import type { CarWriteActivities } from '../src/contract/activities.js';
import { commandRole } from '../src/contract/role.js';
import type { PlatformClient } from '../src/platform/client/index.js';
import { attemptOf } from './attempt.js';

/** Sale status and memos of one car, and what reads them back: one attempt each, as the rental company (G26). */
export function carWriteActivities(
  platform: PlatformClient,
  gate: Pick<RoleGate, 'isSuspended'>,
): CarWriteActivities {
  const options = () => ({ as: commandRole, signal: cancellationSignal() });
  return {
    addCarMemo: ({ carId, ...memo }) =>
      attemptOf(gate, commandRole, async () => {
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
      attemptOf(gate, commandRole, async () => {
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
