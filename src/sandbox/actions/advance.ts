import type { Instant } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import type { ClockState } from '../core/clock.js';
import { claimRetries, nextRetryInstant } from '../store/outbox.js';
import { readSetting, writeSetting } from '../store/settings.js';
import type { Executor } from '../store/store.js';
import { moveByTime, nextTimedInstant } from './time.js';

/** Everything due by now: moves by time, and callback retries. */
export async function runDue(sandbox: Sandbox): Promise<void> {
  await moveByTime(sandbox);
  const { db, clock, dispatcher } = sandbox;
  if (dispatcher.hasTarget()) dispatcher.retry(await claimRetries(db, clock.now()));
}

/** The next instant at which something falls due; null when nothing is planned. */
export async function nextInstant(sandbox: Sandbox): Promise<Instant | null> {
  const moves = await nextTimedInstant(sandbox);
  const retries = sandbox.dispatcher.hasTarget() ? await nextRetryInstant(sandbox.db) : null;
  if (moves === null || retries === null) return moves ?? retries;
  return Math.min(moves, retries);
}

/**
 * Moves the clock on to `at`, stopping at every instant on the way to do what is due then, in order; each stop is
 * stored, so that after a crash on the way the clock does not show an earlier time.
 */
export async function advanceTo(sandbox: Sandbox, at: Instant): Promise<void> {
  const { dispatcher } = sandbox;
  for (;;) {
    await dispatcher.untilDelivered();
    const next = await nextInstant(sandbox);
    if (next === null || next > at) break;
    await stopAt(sandbox, next);
  }
  await stopAt(sandbox, at);
  await dispatcher.untilDelivered();
}

/** Moves the clock on to the next instant at which something falls due, and does it; nowhere when nothing is planned. */
export async function advanceToNext(sandbox: Sandbox): Promise<void> {
  await sandbox.dispatcher.untilDelivered();
  const next = await nextInstant(sandbox);
  if (next !== null) await advanceTo(sandbox, Math.max(next, sandbox.clock.now()));
}

async function stopAt(sandbox: Sandbox, at: Instant): Promise<void> {
  if (at > sandbox.clock.now()) {
    sandbox.clock.advanceTo(at);
    await storeClock(sandbox);
  }
  await sandbox.agenda.wake();
}

const setting = 'clock';

export function storeClock({ db, clock }: Sandbox): Promise<void> {
  return writeSetting(db, setting, clock.snapshot());
}

export function readStoredClock(db: Executor): Promise<ClockState | undefined> {
  return readSetting<ClockState>(db, setting);
}
