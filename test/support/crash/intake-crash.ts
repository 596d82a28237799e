import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../../src/sandbox/traffic/random.js';
import { eventually } from '../eventually.js';
import { deliveriesOf } from './deliveries.js';
import { onSite } from './on-site.js';
import type { Sender } from './sender.js';
import type { CrashSite } from './sites.js';

export interface CrashPlan {
  seed: number;
  /** Of the generated traffic; the rentals' own come beside them. */
  callbacks: number;
  rentals: number;
  kills: number;
  engineKills: number;
  perSecond: number;
}

/**
 * Callbacks with duplicates and disorder, and whole rentals with staff commands, while the product's processes and the
 * engine are killed at random moments of it. In the end each acknowledged event has its one verdict, each reservation
 * the state of an undisturbed run, and each command that moves a reservation acted once.
 */
export async function surviveCrashes(
  start: (platformUrl: string) => Promise<CrashSite>,
  plan: CrashPlan,
): Promise<void> {
  const deliveries = await deliveriesOf(plan.seed, plan.callbacks);
  await onSite(start, async ({ site, sender, rentals }) => {
    sender.send(deliveries, { lanes: 8, perSecond: plan.perSecond });
    const played = Promise.all(Array.from({ length: plan.rentals }, () => rentals.play()));
    await Promise.all([crash(site, sender, plan, deliveries.length), played]);
    site.expectMore?.();
    return deliveries;
  });
}

/** Kills at random moments, each in its own part of the way. */
async function crash(site: CrashSite, sender: Sender, plan: CrashPlan, callbacks: number): Promise<void> {
  const random = randomOf('kills', plan.seed);
  const crashes = [
    ...Array.from({ length: plan.kills }, () => () => site.kill(random)),
    ...Array.from({ length: plan.engineKills }, () => () => site.killEngine()),
  ];
  const order = crashes.map((act) => ({ act, at: random.unit() })).sort((a, b) => a.at - b.at);
  if (site.loseDatabase !== undefined) {
    order.splice(order.length / 2, 0, { act: () => site.loseDatabase?.() ?? Promise.resolve(), at: 0 });
  }
  const part = (callbacks * 0.9) / order.length;
  for (const [index, { act }] of order.entries()) {
    const due = Math.floor((index + random.unit()) * part);
    // so that there is traffic at the last of them too
    sender.pauseAt = due + Math.ceil(part);
    await eventually(`callback ${due} is acknowledged`, () => sender.count >= due, 240_000);
    await sleep(random.unit() * 400);
    await act();
  }
  sender.pauseAt = Infinity;
}
