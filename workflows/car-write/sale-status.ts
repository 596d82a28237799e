import { sleep } from '@temporalio/workflow';
import type { CarPlace } from '../../src/contract/activities.js';
import type { SaleStatus } from '../../src/contract/car-write.js';
import { commandRole } from '../../src/contract/role.js';
import { type Backoff, backoffMs } from '../../src/domain/shared/backoff.js';
import { type Ended, runLostCode } from '../../src/domain/shared/outcome.js';
import { attemptId } from '../shared/attempts.js';
import { platform } from '../shared/proxies.js';
import { readUntilAnswered, sendUntilAnswered } from '../shared/retry-window.js';

const triesAtMost = 4;
const pauses: Readonly<Backoff> = { firstMs: 2_000, longestMs: 16_000 };

/**
 * Sets the sale status of one car in one product (F21). After a lost answer the status is read back; where that shows
 * another status, or fails, it is set again, which does no harm.
 *
 * @param command business identity of the write
 * @param until instant after which a request that the platform does not accept is not retried
 */
export async function setSaleStatusOnce(
  { saleYn, ...place }: CarPlace & { saleYn: 'Y' | 'N' },
  { until, command }: { until: number; command: string },
): Promise<Ended<SaleStatus>> {
  const retryWindow = { role: commandRole, until };
  const readSaleStatus = () =>
    readUntilAnswered(
      () => platform.findSaleStatus.executeWithOptions({ summary: 'read the sale status' }, [place]),
      retryWindow,
    );
  const first = await readSaleStatus();
  if (first.outcome === 'rejected') return first;
  if (first.outcome === 'unknown') {
    const why = first.message ?? 'the platform did not let the sale status be read';
    const message = `${why}; nothing was sent`;
    return { outcome: 'rejected', code: first.code, message };
  }
  const before = first.value.saleYn;
  if (before === null) {
    return { outcome: 'rejected', code: 'NOT_FOUND', message: 'the product does not hold the car' };
  }
  let lost: string | undefined;
  for (let tries = 1; ; tries++) {
    const set = await sendUntilAnswered(
      (time) =>
        platform.setSaleStatus.executeWithOptions({ summary: `set sale status ${saleYn}, time ${tries}` }, [
          { ...place, saleYn, id: attemptId(command, `${tries}.${time}`) },
        ]),
      retryWindow,
    );
    if (set.outcome === 'applied') return { outcome: 'applied', saleYn, before };
    if (set.outcome === 'rejected') {
      return lost === undefined ? set : { outcome: 'unknown', code: lost };
    }
    lost ??= set.code;
    const found = await readSaleStatus();
    if (found.outcome === 'applied' && found.value.saleYn === saleYn)
      return { outcome: 'applied', saleYn, before };
    const pauseMs = backoffMs(tries, pauses);
    const isOfAnotherRun = set.code === runLostCode;
    if (isOfAnotherRun || tries === triesAtMost || Date.now() + pauseMs > until)
      return { outcome: 'unknown', code: lost };
    await sleep(pauseMs, { summary: `wait after ${set.code}` });
  }
}
