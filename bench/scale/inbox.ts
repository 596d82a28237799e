import { setTimeout as sleep } from 'node:timers/promises';
import type { MeasuredDatabase } from './database.js';

const pollEveryMs = 250;
/** Where many wait, a count of them takes time that the database lacks then. */
const many = 1_000;
const pollManyEveryMs = 2_000;

/** Callbacks without a verdict; each count has an index of its own. @throws where one was given up */
async function unapplied(handover: MeasuredDatabase): Promise<number> {
  const [counts] = await handover.query<Record<'received' | 'sent' | 'dead', number>>(
    `select (select count(*) from inbox where state = 'received')::integer as received,
      (select count(*) from inbox where state = 'sent')::integer as sent,
      (select count(*) from inbox where state = 'dead')::integer as dead`,
  );
  if (counts === undefined || counts.dead > 0) throw new Error('callbacks were given up (dead letters)');
  return counts.received + counts.sent;
}

/** Resolves when every stored callback has its verdict. @throws where none gets one for `withoutProgressMs` */
export async function untilApplied(handover: MeasuredDatabase, withoutProgressMs = 120_000): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let progressedAt = performance.now();
  for (;;) {
    const left = await unapplied(handover);
    if (left === 0) return;
    if (left < least) {
      least = left;
      progressedAt = performance.now();
    }
    if (performance.now() - progressedAt > withoutProgressMs)
      throw new Error(`${left} callbacks have no verdict, and none gets one`);
    await sleep(left > many ? pollManyEveryMs : pollEveryMs);
  }
}

/** Resolves when fewer than `count` callbacks are without a verdict. */
export async function untilProgress(handover: MeasuredDatabase, count: number): Promise<void> {
  while ((await unapplied(handover)) >= count) await sleep(pollEveryMs);
}
