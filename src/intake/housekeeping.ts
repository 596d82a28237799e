import { sql } from 'drizzle-orm';
import type { Alerts } from '../alerts/alerts.js';
import type { HandoverDatabase, HandoverDb } from '../db/handover.js';
import type { Logger } from '../log.js';
import { waitingPosts } from '../outbox/queue.js';
import { dropUntaken } from '../outbox/retention.js';
import { hasDeadLetters, inboxTimes } from './backlog.js';
import { type Duty, relayLock } from './one-active.js';
import { foldOld } from './retention.js';
import { Rounds } from './rounds.js';
import { IntakeWatch } from './watch.js';

export interface HousekeepingOptions {
  database: Pick<HandoverDatabase, 'db' | 'kind'>;
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  settings: IntakeSettings;
  log: Logger;
}

/** Durations in milliseconds. */
export interface IntakeSettings {
  backlogAfterMs: number;
  /** Null: this deployment hears no callbacks. */
  silenceAfterMs: number | null;
  bodiesMs: number;
  verdictsMs: number;
}

const day = 86_400_000;
/** Alerts that old tell nobody anything. */
const alertsKeptMs = 7 * day;

/** How long a callback may wait for FORWARD_URL: as long as callbacks are kept, and long enough for any repair (F75). */
function forwardsKeptMs({ bodiesMs }: Pick<IntakeSettings, 'bodiesMs'>): number {
  return Math.max(bodiesMs, 7 * day);
}

const watchEveryMs = 10_000;
const foldEveryMs = 60_000;

/** What the active relay's process does beside relaying: it watches for backlog and silence, and folds what is old. */
export function housekeeping({ database: { db, kind }, alerts, settings, log }: HousekeepingOptions): Duty[] {
  return [
    new Rounds({
      name: 'the watch over the inbox',
      log,
      everyMs: watchEveryMs,
      round: watchOver({ db, alerts, settings }),
    }),
    new Rounds({
      name: 'the retention of the inbox',
      log,
      everyMs: foldEveryMs,
      async round(isStopping) {
        await dropUntaken(db, { alerts: alertsKeptMs, forward: forwardsKeptMs(settings) }, log);
        const { folded, removed } = await foldOld({ db, ...settings }, Date.now(), isStopping);
        if (folded + removed > 0) log.info({ folded, removed }, 'old callbacks are folded');
        // nobody else does: an embedded database has no autovacuum, and each event leaves two dead rows behind
        if (kind === 'pglite' && !isStopping()) await db.execute(sql`vacuum inbox, timeline, outbox`);
      },
    }),
  ];
}

/**
 * For a process that has no relay: as long as no process has an active one, this one watches. Several may: an alert is raised
 * once, whoever raises it.
 */
export function standInWatch(
  {
    database: { db, lockHolder },
    alerts,
    settings,
    log,
  }: Omit<HousekeepingOptions, 'database'> & { database: Pick<HandoverDatabase, 'db' | 'lockHolder'> },
  everyMs = watchEveryMs,
): Duty {
  let look: (() => Promise<void>) | null = null;
  return new Rounds({
    name: 'the watch over the inbox while no relay is active',
    log,
    everyMs,
    async round() {
      const isRelayed = (await lockHolder(relayLock)) !== null;
      // what was said last is the other's to say meanwhile: begun anew, it says all again
      look = isRelayed ? null : (look ?? watchOver({ db, alerts, settings }));
      await look?.();
    },
  });
}

function watchOver({
  db,
  alerts,
  settings,
}: { db: HandoverDb } & Pick<HousekeepingOptions, 'alerts' | 'settings'>): () => Promise<void> {
  const watch = new IntakeWatch(
    { alerts, ...settings, forwardsKeptMs: forwardsKeptMs(settings) },
    Date.now(),
  );
  return async () => {
    const deadLetters = await hasDeadLetters(db);
    const { oldestAt: oldestForwardAt } = await waitingPosts(db, 'forward');
    await watch.look({ ...(await inboxTimes(db)), deadLetters, oldestForwardAt }, Date.now());
  };
}
