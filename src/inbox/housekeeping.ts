import { sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { dropUnaccepted } from '../outbox/retention.js';
import type { Alerts } from '../store/alerts/alerts.js';
import { purgeAttempts } from '../store/attempts.js';
import { hasDeadLetters, inboxTimes } from '../store/callbacks/backlog.js';
import type { Lease } from '../store/connection/lease.js';
import type { HandoverDatabase, HandoverDb } from '../store/handover.js';
import { deadPosts, waitingPosts } from '../store/outbox/queue.js';
import type { Duty } from './relay/duty.js';
import { readRelays } from './relay/read-relays.js';
import { resendUnjudged } from './replay/resend.js';
import { purgeOld } from './retention.js';
import { Rounds } from './rounds.js';
import { IntakeWatch } from './watch.js';

export interface HousekeepingOptions {
  database: Pick<HandoverDatabase, 'db' | 'kind'>;
  alerts: Pick<Alerts, 'raise' | 'clear'>;
  settings: IntakeSettings;
  log: Logger;
  /** Nothing is done unless it is valid. */
  lease: Lease;
  /** The relay's clock. */
  clock?: () => number;
}

/** Durations in milliseconds. */
export interface IntakeSettings {
  backlogAfterMs: number;
  /** Null: this deployment receives no callbacks. */
  silenceAfterMs: number | null;
  bodiesMs: number;
  verdictsMs: number;
}

export interface StandbyWatchOptions extends Omit<HousekeepingOptions, 'database' | 'lease' | 'clock'> {
  database: Pick<HandoverDatabase, 'db'>;
  /** Also while another process has the leading relay, which watches too. */
  watchesAlways: boolean;
}

const day = 86_400_000;
/** Older alerts are dropped. */
const alertRetentionMs = 7 * day;

/** How long a callback may wait for FORWARD_URL: as long as callbacks are kept, and long enough for any repair (F75). */
function forwardRetentionMs({ bodiesMs }: Pick<IntakeSettings, 'bodiesMs'>): number {
  return Math.max(bodiesMs, 7 * day);
}

/** How long an attempt is stored: a run may be reset to a moment before it. */
function attemptRetentionMs({ bodiesMs }: Pick<IntakeSettings, 'bodiesMs'>): number {
  return Math.max(bodiesMs, 30 * day);
}
const attemptsPerRound = 1_000;

const watchEveryMs = 10_000;
const purgeEveryMs = 60_000;
const resendEveryMs = 10_000;
const vacuumed = [
  'inbox',
  'timeline',
  'outbox',
  'attempts',
  'open_reservations',
  'schedule_entries',
  'schedule_reads',
];
/** Shares of rows change slowly, and a sample of 10,000 takes some 30 ms. */
const statisticsEveryMs = 600_000;

/**
 * The background work of the process with the leading relay: watches for backlog and silence, sends callbacks again that
 * got no verdict, and purges old rows.
 */
export function housekeeping({
  database: { db, kind },
  alerts,
  settings,
  log,
  lease,
  clock = Date.now,
}: HousekeepingOptions): Duty[] {
  const mayRun = () => lease.remainingMs() > 0;
  return [
    new Rounds({
      name: 'the watch over the inbox',
      log,
      everyMs: watchEveryMs,
      mayRun,
      round: watchOver({ db, alerts, settings }),
    }),
    new Rounds({
      name: 'the resending of callbacks without a verdict',
      log,
      everyMs: resendEveryMs,
      mayRun,
      async round() {
        const events = await resendUnjudged(db, { now: clock(), fence: lease });
        if (events > 0) log.warn({ events }, 'callbacks without a verdict are sent again');
      },
    }),
    new Rounds({
      name: 'the retention of the inbox',
      log,
      everyMs: purgeEveryMs,
      mayRun,
      async round(isStopping) {
        await dropUnaccepted(db, { alerts: alertRetentionMs, forward: forwardRetentionMs(settings) }, log);
        await purgeAttempts(db, Date.now() - attemptRetentionMs(settings), attemptsPerRound);
        const { purged, removed } = await purgeOld({ db, ...settings }, Date.now(), isStopping);
        if (purged + removed > 0) log.info({ purged, removed }, 'old callbacks were purged');
        // an embedded database has no autovacuum, and each event leaves two dead rows behind
        if (kind !== 'pglite') return;
        for (const table of vacuumed) if (!isStopping()) await db.execute(sql.raw(`vacuum ${table}`));
      },
    }),
    ...(kind === 'pglite' ? [gatherStatistics(db, log, mayRun)] : []),
  ];
}

/** An embedded database gathers none by itself: without them the board reads all open reservations to find the few with an attention item. */
function gatherStatistics(db: HandoverDb, log: HousekeepingOptions['log'], mayRun: () => boolean): Duty {
  return new Rounds({
    name: 'the statistics of the embedded database',
    log,
    everyMs: statisticsEveryMs,
    mayRun,
    async round() {
      await db.execute(sql`analyze open_reservations (attention)`);
    },
  });
}

/**
 * The same watch in a process without a relay, because the active one may be frozen. Several processes may watch: an alert
 * is raised once.
 */
export function standbyWatch(
  { database: { db }, alerts, settings, log, watchesAlways }: StandbyWatchOptions,
  everyMs = watchEveryMs,
): Duty {
  const watch = watchOver({ db, alerts, settings });
  return new Rounds({
    name: 'the watch over the inbox',
    log,
    everyMs,
    async round() {
      if (watchesAlways || (await readRelays(db)).leader === null) await watch();
    },
  });
}

function watchOver({
  db,
  alerts,
  settings,
}: { db: HandoverDb } & Pick<HousekeepingOptions, 'alerts' | 'settings'>): () => Promise<void> {
  const watch = new IntakeWatch(
    { alerts, ...settings, forwardRetentionMs: forwardRetentionMs(settings) },
    Date.now(),
  );
  return async () => {
    const deadLetters = await hasDeadLetters(db);
    const { oldestAt: oldestForwardAt } = await waitingPosts(db, 'forward');
    const dead = {
      alerts: (await deadPosts(db, 'alerts', 1)) > 0,
      forward: (await deadPosts(db, 'forward', 1)) > 0,
    };
    const times = await inboxTimes(db);
    await watch.check({ ...times, deadLetters, oldestForwardAt, deadPosts: dead }, Date.now());
  };
}
