import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { randomOf } from '../../../src/sandbox/traffic/random.js';
import { eventually } from '../eventually.js';
import { orderlyDeliveriesOf } from './deliveries.js';
import { endless } from './endless.js';
import { onSite } from './on-site.js';
import type { Site } from './sites.js';
import { Stream } from './stream.js';

/** A site whose programs can be restarted in an orderly way. */
export interface RestartSite extends Site {
  /** Resolves when it serves again. @throws where its process did not end as it should */
  restart(name: string): Promise<void>;
  /** What its processes use, to be printed. */
  usage(): Promise<unknown>;
}

interface RestartPlan {
  seed: number;
  /** Callbacks, by the clock. */
  perSecond: number;
  /** Programs, in their order. */
  restarted: readonly string[];
  /** Whole rentals beside each restart. */
  rentals: number;
}

/** Reservations of some weeks, most of them from booking to return. */
const traffic = { days: 40, cars: 40 };
/** Seconds of traffic before the first restart and after the last: enough for figures of the processes that are not those of their start. */
const around = { before: 5, after: 30 };
/** Seconds of traffic that may be on their way when it is counted: a restart of the database holds answers back for a moment. */
const onTheirWay = 2;

/**
 * A restart of one program after the other under callbacks that come without a pause, and whole rentals: each callback is
 * accepted at its first attempt, so many a second from the first restart to the last, and no effect is lost.
 */
export async function surviveRestarts(
  start: (platformUrl: string) => Promise<RestartSite>,
  { seed, perSecond, restarted, rentals: atOnce }: RestartPlan,
): Promise<void> {
  const deliveries = endless(await orderlyDeliveriesOf(seed, traffic), seed);
  const random = randomOf('restarts', seed);
  await onSite(start, async ({ site, sender, rentals }) => {
    const stream = new Stream(sender, deliveries, perSecond);
    const secondsPass = async (seconds: number) => {
      const enough = stream.acknowledged + seconds * perSecond;
      await eventually(`${enough} callbacks are accepted`, () => stream.acknowledged >= enough, 60_000);
    };
    await secondsPass(around.before);
    const meter = new Meter(stream, perSecond);
    for (const name of restarted) {
      await sleep(random.unit() * 1_000);
      const played = Array.from({ length: atOnce }, () => rentals.play());
      await Promise.all([site.restart(name), ...played]);
      expect(sender.failures, `attempts until ${name} was restarted`).toEqual([]);
      meter.expectPace(`until ${name} was restarted`);
    }
    await secondsPass(around.after);
    meter.expectPace('until some time after the last');
    console.info('memory and processors under this load, since their restarts:', await site.usage());
    const reservations = new Set(stream.sent.map(({ reservationId }) => reservationId));
    console.info(`${reservations.size} reservations, and ${rentals.ids.length} whole rentals`);
    await stream.stop();
    await sender.done();
    expect(sender.failures).toEqual([]);
    return stream.sent;
  });
}

/** Counts what was acknowledged since it began: it checks the load, not the speed of the product. */
class Meter {
  private readonly since = performance.now();
  private readonly before: { sent: number; acknowledged: number };

  constructor(
    private readonly stream: Stream,
    private readonly perSecond: number,
  ) {
    this.before = { sent: stream.sent.length, acknowledged: stream.acknowledged };
  }

  /** @throws where the load was less */
  expectPace(until: string): void {
    const seconds = (performance.now() - this.since) / 1_000;
    const sent = this.stream.sent.length - this.before.sent;
    const acknowledged = this.stream.acknowledged - this.before.acknowledged;
    const counts = `${acknowledged} callbacks of ${sent} were acknowledged in ${seconds.toFixed(1)} s, ${until}`;
    console.info(counts);
    const least = this.perSecond * (seconds - onTheirWay);
    if (acknowledged >= least) return;
    const why = sent < least ? 'this machine is too slow to send so many' : 'answers came too late';
    throw new Error(`${counts}, not ${this.perSecond} a second: ${why}`);
  }
}
