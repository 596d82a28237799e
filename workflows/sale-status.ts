import { sleep } from '@temporalio/workflow';
import type { CarPlace } from '../src/contract/activities.js';
import type { SaleStatusResult } from '../src/contract/car-write.js';
import { commandRole } from '../src/contract/role.js';
import { untilAnswered, untilRead } from './patience.js';
import { platform } from './proxies.js';

const triesAtMost = 4;
const firstPauseMs = 2_000;

/**
 * Sets the sale status of one car in one product (F21). A lost answer is settled by reading it back; where that shows
 * another status, or nothing, it is set again, which does no harm.
 *
 * @param until waits no longer than this instant for the platform to take requests
 */
export async function setSaleStatusOnce(
  { saleYn, ...place }: CarPlace & { saleYn: 'Y' | 'N' },
  until: number,
): Promise<SaleStatusResult> {
  const patience = { role: commandRole, until };
  const look = () =>
    untilRead(
      () => platform.findSaleStatus.executeWithOptions({ summary: 'read the sale status' }, [place]),
      patience,
    );
  const first = await look();
  if (first.kind === 'refused') return { outcome: 'rejected', code: first.code, message: first.message };
  if (first.kind === 'unknown') {
    const message = 'the platform did not let the sale status be read; nothing was sent';
    return { outcome: 'rejected', code: first.code, message };
  }
  const before = first.value.saleYn;
  if (before === null) {
    return { outcome: 'rejected', code: 'NOT_FOUND', message: 'the product does not hold the car' };
  }
  let lost: string | undefined;
  for (let tries = 1; ; tries++) {
    const set = await untilAnswered(
      () =>
        platform.setSaleStatus.executeWithOptions({ summary: `set sale status ${saleYn}, time ${tries}` }, [
          { ...place, saleYn },
        ]),
      patience,
    );
    if (set.kind === 'done') return { outcome: 'applied', saleYn, before };
    if (set.kind === 'refused') {
      if (lost !== undefined) return { outcome: 'unknown', code: lost };
      return { outcome: 'rejected', code: set.code, message: set.message };
    }
    lost ??= set.code;
    const found = await look();
    if (found.kind === 'done' && found.value.saleYn === saleYn) return { outcome: 'applied', saleYn, before };
    const pauseMs = firstPauseMs * 2 ** (tries - 1);
    if (tries === triesAtMost || Date.now() + pauseMs > until) return { outcome: 'unknown', code: lost };
    await sleep(pauseMs, { summary: `wait after ${set.code}` });
  }
}
