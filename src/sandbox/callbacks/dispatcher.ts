import type { Logger } from '../../log.js';
import type { Instant } from '../../platform/model.js';
import type { WireProfile } from '../../platform/profile.js';
import type { CallbackTarget } from '../context.js';
import type { Clock } from '../core/clock.js';
import { nextAttemptAt } from '../core/retry.js';
import type { Journal } from '../store/journal.js';
import type { CallbackRow } from '../store/outbox.js';
import type { SandboxDb } from '../store/store.js';
import { openRecorder } from './recorder.js';
import { openSender, type Sender } from './sender.js';

/** Reservations whose callbacks are on their way at the same time. */
const concurrency = 32;

export interface Dispatcher {
  hasTarget(): boolean;
  /** Another receiver from now on; undefined: callbacks are only kept. */
  setTarget(target: CallbackTarget | undefined): void;
  /** Takes committed callbacks for their first attempt: in this order per reservation (G35). */
  enqueue(callbacks: readonly CallbackRow[]): void;
  /** Takes claimed callbacks whose next attempt is due: they wait for nothing (G35). */
  retry(callbacks: readonly CallbackRow[]): void;
  /** Resolves when no attempt is out and none is queued. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface DispatcherOptions {
  db: SandboxDb;
  profile: WireProfile;
  clock: Clock;
  journal: Journal;
  logger: Logger;
  /** Called with the instant of a retry that was planned. */
  onRetryPlanned(at: Instant): void;
}

/** Sends the outbox. All of its state is in the database; what is here is only what is being sent. */
export function openDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, profile, clock, journal, logger } = options;
  const { acknowledgeWithinMs, retries } = profile.behaviour;
  const recorder = openRecorder(db, logger, options.onRetryPlanned);
  const queues = new Map<number, CallbackRow[]>();
  const ready: number[] = [];
  let running = 0;
  let closed = false;
  let sender: Sender | undefined;
  const waiters: (() => void)[] = [];

  async function attempt(callback: CallbackRow): Promise<void> {
    if (!sender) return;
    const startedAt = clock.now();
    const began = performance.now();
    const path = profile.callbacks.paths[callback.kind];
    const { callbackId, webhookId, payload, reservationId } = callback;
    const sent = await sender.send({ webhookId, path, payload });
    if (closed) return; // its row still says that the attempt is to be made
    const firstAttemptAt = callback.firstAttemptAt ?? startedAt;
    const attempts = callback.attempts + 1;
    const nextAt = sent.acknowledged ? null : nextAttemptAt(retries, firstAttemptAt, attempts);
    const state = sent.acknowledged ? 'acknowledged' : nextAt === null ? 'given-up' : 'waiting';
    recorder.add(callback, {
      callbackId,
      state,
      attempts,
      firstAttemptAt,
      nextAt,
      lastOutcome: sent.outcome,
    });
    journal.add({
      kind: 'callback',
      at: startedAt,
      durationMs: Math.round(performance.now() - began),
      method: 'POST',
      path,
      operation: `callback:${callback.kind}`,
      status: sent.status,
      reservationId,
      effect: sent.outcome,
      requestBody: payload,
      webhookId,
    });
  }

  /** Sends one reservation's queue, one after the other. */
  async function drain(reservationId: number): Promise<void> {
    const queue = queues.get(reservationId);
    for (let next = queue?.shift(); next && !closed; next = queue?.shift()) await attempt(next);
    queues.delete(reservationId);
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
    hasTarget: () => sender !== undefined,
    setTarget(target) {
      void sender?.close();
      sender = target && openSender(target, acknowledgeWithinMs, concurrency);
    },
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
      for (const callback of callbacks) start(() => attempt(callback));
    },
    async settled() {
      if (running > 0) await new Promise<void>((wake) => waiters.push(wake));
      await recorder.written();
    },
    async close() {
      closed = true;
      await sender?.close();
      if (running > 0) await new Promise<void>((wake) => waiters.push(wake));
      await recorder.written();
    },
  };
}
