import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { percentile, rounded } from '../statistics.js';
import { access, type Target } from '../target.js';
import { callbackAt, eventsEach, signed } from './callbacks.js';

const pollEveryMs = 10;
const giveUpAfterMs = 60_000;

/**
 * The time from the acknowledgement of a registration until the API shows its reservation, at a rate that the engine
 * sustains.
 */
export async function timeToVisible(
  { apiUrl, receiverUrl }: Pick<Target, 'apiUrl' | 'receiverUrl'>,
  { perSecond, count, firstReservation }: { perSecond: number; count: number; firstReservation: number },
): Promise<{ p50: number | null; p99: number | null; samples: number; perSecond: number }> {
  const pool = new Pool(apiUrl, { connections: 32 });
  const receiver = new Pool(receiverUrl, { connections: 32 });
  const durations: number[] = [];
  const one = async (index: number) => {
    const { path, body, reservationId } = callbackAt(firstReservation, index * eventsEach);
    const answer = await receiver.request({
      method: 'POST',
      path,
      body,
      headers: signed(`visible-${index}`, body),
    });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`the receiver answered ${answer.statusCode}`);
    const acknowledged = performance.now();
    while (!(await isShown(pool, reservationId))) {
      if (performance.now() - acknowledged > giveUpAfterMs) throw new Error(`${reservationId} is not shown`);
      await sleep(pollEveryMs);
    }
    durations.push(performance.now() - acknowledged);
  };
  try {
    const all: Promise<void>[] = [];
    for (let index = 0; index < count; index++) {
      all.push(one(index));
      await sleep(1000 / perSecond);
    }
    await Promise.all(all);
  } finally {
    await Promise.all([pool.destroy(), receiver.destroy()]);
  }
  const at = (share: number) => rounded(percentile(durations, share) ?? 0, 1);
  return { p50: at(0.5), p99: at(0.99), samples: durations.length, perSecond };
}

async function isShown(pool: Pool, reservationId: number): Promise<boolean> {
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: `/api/reservations/${reservationId}`,
    headers: { authorization: `Bearer ${access.token}` },
  });
  const text = await body.text();
  return statusCode === 200 && (JSON.parse(text) as { status: { code: number } }).status.code === 5;
}
