import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Instant } from '../../../domain/shared/time.js';
import { rowsOf } from '../../../store/connection/rows.js';
import { type Pending, pendingOf } from '../../../temporal/client/pending.js';
import type { Stage } from './stage.js';

/** Moves the time of one scenario: the platform's clock and the engine's, in step. */
export interface Driver {
  now(): Instant;
  /** Moves the time on to `instant`, and stops wherever something falls due on either side. */
  advanceTo(instant: Instant): Promise<void>;
  /** Resolves when nothing is on its way any more: callbacks, inbox, workflow tasks, requests. */
  untilQuiet(): Promise<void>;
  /** Resolves when operations have received every alert. */
  untilPosted(): Promise<void>;
}

export interface Watched {
  /** Workflows that may be open. */
  workflowIds(): string[];
  /** False while the worker is stopped: then nothing is taken out of the inbox. */
  isWorking(): boolean;
}

/** A whole scenario runs within seconds: a stage that is busy for so long is stuck. */
const quietWithinMs = 30_000;
/** A poll costs more the longer the history is: rare enough to leave the processor to the work that is awaited. */
const pollsMs = [4, 8, 15, 25];

export function createDriver(stage: Stage, watched: Watched): Driver {
  const { engine, clock, database, sandbox } = stage;
  const { client } = engine.temporal;
  let timers: Instant[] = [];
  let untended = 0;

  async function isInboxWaiting(): Promise<boolean> {
    const waiting = await database.db.execute(sql`select 1 from inbox where state <> 'done' limit 1`);
    return rowsOf(waiting).length > 0;
  }

  async function isQuiet(): Promise<boolean> {
    await sandbox.time.untilDelivered();
    const isWorking = watched.isWorking();
    if (isWorking && (await isInboxWaiting())) return false;
    const all = await Promise.all(watched.workflowIds().map((id) => pendingOf(client, id)));
    timers = all.flatMap((one: Pending) => one.timers);
    if (timers.some((at) => at <= clock.now())) return false;
    const busy = all.filter((one) => one.busy).length;
    untended = isWorking ? 0 : busy;
    return untended === busy;
  }

  async function untilQuiet(): Promise<void> {
    const until = performance.now() + quietWithinMs;
    for (let round = 0; !(await isQuiet()); round++) {
      if (performance.now() > until) throw new Error('the stage did not come to rest within 30 s');
      await pause(pollsMs[round] ?? 25);
    }
  }

  async function step(target: Instant): Promise<void> {
    const platform = (await sandbox.time.next()) ?? Number.POSITIVE_INFINITY;
    const now = clock.now();
    const timer = Math.min(...timers.filter((at) => at > now), Number.POSITIVE_INFINITY);
    const next = Math.ceil(Math.min(target, platform, timer));
    // The side that has something due comes last: the other side must already be at that moment.
    if (timer < platform && timer <= target) await movePlatform(next);
    await moveEngine(next);
    await movePlatform(next);
    await untilQuiet();
  }

  async function movePlatform(at: Instant): Promise<void> {
    if (engine.skips) await sandbox.time.advanceTo(at); // else its clock runs by itself
  }

  async function moveEngine(at: Instant): Promise<void> {
    const ahead = at - (await engine.now());
    clock.set(at);
    if (ahead > 0) await engine.sleep(Math.ceil(ahead), untended);
    clock.set(await engine.now());
  }

  async function untilPosted(): Promise<void> {
    const until = performance.now() + quietWithinMs;
    while (rowsOf(await database.db.execute(sql`select 1 from outbox limit 1`)).length > 0) {
      if (!watched.isWorking() || performance.now() > until) return;
      await pause(20);
    }
  }

  return {
    now: clock.now,
    untilQuiet,
    untilPosted,
    async advanceTo(instant) {
      await untilQuiet();
      if (!engine.skips) await moveEngine(instant);
      while (clock.now() < instant) await step(instant);
      await movePlatform(clock.now());
      await untilQuiet();
    },
  };
}
