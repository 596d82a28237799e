import type { Logger } from 'pino';
import type { Instant } from '../../platform/model.js';
import type { WireProfile } from '../../platform/profile.js';
import type { Clock } from '../core/clock.js';
import type { CallbackFaults } from '../faults/callbacks.js';
import type { SandboxMetrics } from '../metrics.js';
import type { Journal } from '../store/journal.js';
import type { AttemptResult, CallbackRow } from '../store/outbox.js';
import type { SandboxDb } from '../store/store.js';
import { createAttempts } from './attempts.js';
import { openDelivery, type Parcel } from './delivery.js';
import { openRecorder } from './recorder.js';
import type { SendResult } from './sender.js';
import type { CallbackTarget } from './target.js';

/** Reservations whose callbacks are sent at the same time. */
const concurrency = 32;

export interface Dispatcher {
  hasTarget(): boolean;
  /** Replaces the receiver; undefined: callbacks are stored and not sent. */
  setTarget(target: CallbackTarget | undefined): void;
  /** Takes committed callbacks for their first attempt: in this order per reservation (G35). */
  enqueue(callbacks: readonly CallbackRow[]): void;
  /** Takes claimed callbacks whose next attempt is due: they wait for nothing (G35). */
  retry(callbacks: readonly CallbackRow[]): void;
  /** Sends one by hand, at once and without faults; null where there is no receiver. */
  send(parcel: Parcel): Promise<SendResult | null>;
  /** Resolves when no attempt is in flight and none is queued. */
  untilDelivered(): Promise<void>;
  /** Drops everything queued or out, because the database is about to change; earlier results are recorded. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

export interface DispatcherOptions {
  db: SandboxDb;
  profile: WireProfile;
  clock: Clock;
  journal: Journal;
  faults: CallbackFaults;
  logger: Logger;
  countCallback: SandboxMetrics['countCallback'];
  /** Called with the instant of a retry that was planned. */
  onRetryPlanned(at: Instant): void;
}

/** Sends the outbox. All of its state is in the database; memory holds only what is being sent. */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, profile, clock, journal, faults, logger, countCallback } = options;
  const recorder = openRecorder(db, logger, options.onRetryPlanned);
  const withinMs = profile.behaviour.acknowledgeWithinMs;
  const delivery = openDelivery({ clock, journal, withinMs, connections: concurrency, countCallback });
  const attempts = createAttempts({ profile, clock, faults, delivery });
  let queues = new Map<number, CallbackRow[]>();
  const ready: number[] = [];
  let running = 0;
  let closed = false;
  const waiters: (() => void)[] = [];

  async function record(callback: CallbackRow, attempt: Promise<AttemptResult | null>): Promise<void> {
    const result = await attempt;
    if (result) recorder.add(callback, result);
  }

  /** Sends one reservation's queue, one after the other. */
  async function drain(reservationId: number): Promise<void> {
    const mine = queues;
    const queue = mine.get(reservationId);
    for (let next = queue?.shift(); next && !closed && mine === queues; next = queue?.shift())
      await record(next, attempts.sendFirst(next));
    mine.delete(reservationId);
  }

  function start(task: () => Promise<void>): void {
    running++;
    void task().finally(() => {
      running--;
      pump();
      if (running === 0) {
        for (const wake of waiters.splice(0)) wake();
      }
    });
  }

  function pump(): void {
    while (running < concurrency && !closed) {
      const reservationId = ready.shift();
      if (reservationId === undefined) return;
      start(() => drain(reservationId));
    }
  }

  return {
    hasTarget: delivery.hasTarget,
    setTarget: delivery.setTarget,
    enqueue(callbacks) {
      for (const callback of callbacks) {
        if (callback.state !== 'waiting') continue;
        const queue = queues.get(callback.reservationId);
        if (queue) queue.push(callback);
        else {
          queues.set(callback.reservationId, [callback]);
          ready.push(callback.reservationId);
        }
      }
      pump();
    },
    retry(callbacks) {
      for (const callback of callbacks) start(() => record(callback, attempts.sendPlain(callback)));
    },
    send: delivery.deliver,
    async untilDelivered() {
      if (running > 0) await new Promise<void>((wake) => waiters.push(wake));
      await recorder.untilWritten();
    },
    async forget() {
      delivery.forget();
      queues = new Map();
      ready.length = 0;
      await recorder.untilWritten();
    },
    async close() {
      closed = true;
      await delivery.close();
      if (running > 0) await new Promise<void>((wake) => waiters.push(wake));
      await recorder.untilWritten();
    },
  };
}
