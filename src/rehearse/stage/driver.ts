import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../db/rows.js';
import type { Instant } from '../../lifecycle/index.js';
import { type Ask, demand } from './http.js';
import { type Pending, pendingOf } from './pending.js';
import type { Stage } from './stage.js';

/** Moves the time of one scenario: the platform's clock and the engine's, in step. */
export interface Driver {
  now(): Instant;
  /** Lives on to `instant`, stopping wherever something falls due on either side. */
  until(instant: Instant): Promise<void>;
  /** Resolves when nothing is on its way any more: callbacks, inbox, workflow tasks, requests. */
  quiet(): Promise<void>;
}

export interface Watched {
  /** Workflows that may be open. */
  workflowIds(): string[];
  /** False while the worker is stopped: then nothing is taken out of the inbox. */
  isWorking(): boolean;
}

/** A whole scenario runs within seconds; what is not quiet by then never will be. */
const quietWithinMs = 15_000;
const lookEveryMs = 4;

export function createDriver(stage: Stage, sandbox: Ask, watched: Watched): Driver {
  const { engine, clock, database } = stage;
  const client = engine.temporal.client;
  let timers: Instant[] = [];

  async function platformClock(body: object): Promise<Instant | null> {
    const { next } = (await demand(sandbox, 'POST', '/sandbox/clock', { body })).body;
    return next === null ? null : Date.parse(next);
  }

  async function inboxWaits(): Promise<boolean> {
    const waiting = await database.db.execute(sql`select 1 from inbox where state <> 'done' limit 1`);
    return rowsOf(waiting).length > 0;
  }

  async function isQuiet(): Promise<boolean> {
    if (!watched.isWorking()) return true;
    if (await inboxWaits()) return false;
    const all = await Promise.all(watched.workflowIds().map((id) => pendingOf(client, id)));
    timers = all.flatMap((one: Pending) => one.timers);
    return !all.some((one) => one.busy) && !timers.some((at) => at <= clock.now());
  }

  async function quiet(): Promise<void> {
    const until = performance.now() + quietWithinMs;
    for (;;) {
      await platformClock({ advanceBy: 'PT0S' }); // answers when its callbacks are settled
      if (await isQuiet()) return;
      if (performance.now() > until) throw new Error('the stage did not come to rest within 15 s');
      await pause(lookEveryMs);
    }
  }

  async function step(target: Instant): Promise<Instant> {
    const now = clock.now();
    const platform = await platformClock({ advanceBy: 'PT0S' });
    const timer = Math.min(...timers.filter((at) => at > now), Number.POSITIVE_INFINITY);
    const next = Math.min(target, platform ?? Number.POSITIVE_INFINITY, timer);
    const enginesTurn = timer <= Math.min(target, (platform ?? Number.POSITIVE_INFINITY) - 1);
    // Whoever has something due comes last: the other side must already live in that moment.
    if (enginesTurn) await movePlatform(next);
    await moveEngine(next);
    await movePlatform(next);
    await quiet();
    return next;
  }

  async function movePlatform(at: Instant): Promise<void> {
    if (!engine.skips) return; // its clock runs by itself
    await platformClock({ advanceTo: new Date(Math.ceil(at)).toISOString() });
  }

  async function moveEngine(at: Instant): Promise<void> {
    const ahead = at - (await engine.now());
    clock.set(at);
    if (ahead > 0) await engine.sleep(Math.ceil(ahead));
    clock.set(await engine.now());
  }

  return {
    now: clock.now,
    quiet,
    async until(instant) {
      await quiet();
      if (!engine.skips) await moveEngine(instant);
      while (clock.now() < instant) await step(instant);
      await movePlatform(clock.now());
      await quiet();
    },
  };
}
