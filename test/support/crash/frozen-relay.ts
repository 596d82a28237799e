import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../eventually.js';
import { deliveriesOf, undisturbed } from './deliveries.js';
import { expectOneVerdictEach } from './effects.js';
import { onSite } from './on-site.js';
import type { CrashSite } from './sites.js';

export interface FreezePlan {
  seed: number;
  callbacks: number;
  perSecond: number;
  frozenMs: number;
  /** Bounds that are asserted, in milliseconds. */
  takeoverMs: number;
  appliedMs: number;
}

/**
 * Callbacks with duplicates and disorder while the process of the active relay, a whole worker, is frozen and runs again. Another
 * takes over, what comes meanwhile is applied soon, each event has its one verdict, and each reservation saw its events in order.
 */
export async function surviveFreeze(
  start: (platformUrl: string) => Promise<CrashSite>,
  databaseUrl: string,
  plan: FreezePlan,
): Promise<void> {
  const deliveries = await deliveriesOf(plan.seed, plan.callbacks);
  await onSite(start, async ({ site, sender }) => {
    sender.send(deliveries, { lanes: 8, perSecond: plan.perSecond });
    await eventually('callbacks are accepted', () => sender.count > 5 * plan.perSecond, 120_000);
    const frozen = await site.freezeRelay?.();
    if (frozen === undefined) throw new Error('there is one relay alone');
    await sleep(Math.max(0, plan.frozenMs - (Date.now() - frozen.at)));
    const thawedAt = Date.now();
    await frozen.thaw();
    await sender.done();
    const items = await expectOneVerdictEach(site.address, sender, undisturbed(deliveries).verdicts);
    const meanwhile = items
      .map(({ receivedAt, verdictAt }) => ({ at: Date.parse(receivedAt), by: Date.parse(verdictAt ?? '') }))
      .filter(({ at }) => at >= frozen.at && at < thawedAt)
      .map(({ at, by }) => by - at)
      .sort((a, b) => a - b);
    const slowest = meanwhile.at(-1) ?? Infinity;
    console.info(
      `taken over after ${frozen.tookOverAfterMs} ms; ${meanwhile.length} callbacks meanwhile, applied within ` +
        `${meanwhile[Math.floor(meanwhile.length / 2)]} ms (half of them) and ${slowest} ms (all)`,
    );
    await expectOrder(databaseUrl);
    expect(frozen.tookOverAfterMs).toBeLessThan(plan.takeoverMs);
    expect(slowest).toBeLessThan(plan.appliedMs);
    return deliveries;
  });
}

/** By their timelines: each reservation observed each event for the first time after all that were stored before it. */
async function expectOrder(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ ids: number[]; reservation_id: string }>(`
      select reservation_id, array_agg(id order by seq) as ids from (
        select reservation_id, (data ->> 'inboxId')::integer as id, min(seq) as seq
        from timeline where kind = 'event' and data ? 'inboxId' group by 1, 2) first_time
      group by 1`);
    expect(rows.length).toBeGreaterThan(0);
    const disorder = rows.filter(({ ids }) =>
      ids.some((id, place) => place > 0 && id < (ids[place - 1] ?? 0)),
    );
    expect(disorder).toEqual([]);
  } finally {
    await client.end();
  }
}
