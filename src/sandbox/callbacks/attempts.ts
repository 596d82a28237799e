import type { WireProfile } from '../../platform/profile.js';
import type { Clock } from '../core/clock.js';
import { nextAttemptAt } from '../core/retry.js';
import type { CallbackFaultEffect, CallbackFaults } from '../faults/callbacks.js';
import type { AttemptResult, CallbackRow } from '../store/outbox.js';
import type { Delivery, Parcel } from './delivery.js';

/** Concurrent requests of one storm. */
const lanes = 16;

export interface Attempts {
  /** Sends without a fault. Returns the result to record; null where nothing was sent. */
  sendPlain(callback: CallbackRow): Promise<AttemptResult | null>;
  /** Sends the first attempt, with the fault that the plan has for it. */
  sendFirst(callback: CallbackRow): Promise<AttemptResult | null>;
}

/** One attempt to deliver a callback, faults included: the request, and the result that the outbox records. */
export function createAttempts(options: {
  profile: WireProfile;
  clock: Clock;
  faults: CallbackFaults;
  delivery: Delivery;
}): Attempts {
  const { profile, clock, faults, delivery } = options;

  function parcelOf({ kind, webhookId, payload, reservationId }: CallbackRow): Parcel {
    return { kind, webhookId, payload, reservationId, path: profile.callbacks.paths[kind] };
  }

  /** The record of an attempt that began at `startedAt` (G34). */
  function resultOf(
    callback: CallbackRow,
    startedAt: number,
    { acknowledged, outcome }: { acknowledged: boolean; outcome: string },
  ): AttemptResult {
    const { callbackId, webhookId } = callback;
    const firstAttemptAt = callback.firstAttemptAt ?? startedAt;
    const attempts = callback.attempts + 1;
    const nextAt = acknowledged ? null : nextAttemptAt(profile.behaviour.retries, firstAttemptAt, attempts);
    const state = acknowledged ? 'acknowledged' : nextAt === null ? 'given-up' : 'waiting';
    return { callbackId, webhookId, state, attempts, firstAttemptAt, nextAt, lastOutcome: outcome };
  }

  async function send(callback: CallbackRow, changes: Partial<Parcel> = {}): Promise<AttemptResult | null> {
    const startedAt = clock.now();
    const sent = await delivery.deliver({ ...parcelOf(callback), ...changes });
    return sent && resultOf(callback, startedAt, sent);
  }

  /** Not an attempt: the callback only waits, by the platform's clock. */
  function holdBack(callback: CallbackRow, ms: number, remark: string): AttemptResult {
    const { callbackId, webhookId, attempts, firstAttemptAt } = callback;
    const nextAt = clock.now() + ms;
    return { callbackId, webhookId, state: 'waiting', attempts, firstAttemptAt, nextAt, lastOutcome: remark };
  }

  function drop(callback: CallbackRow, retried: boolean): AttemptResult {
    delivery.withhold({ ...parcelOf(callback), remark: 'fault:drop' });
    const lost = resultOf(callback, clock.now(), { acknowledged: false, outcome: 'fault:drop' });
    return retried ? lost : { ...lost, state: 'given-up', nextAt: null };
  }

  async function sendStorm(callback: CallbackRow, times: number): Promise<AttemptResult | null> {
    let left = times - 1;
    const copy = { ...parcelOf(callback), remark: 'fault:storm' };
    const lane = async () => {
      while (left-- > 0) await delivery.deliver(copy);
    };
    const [sent] = await Promise.all([send(callback, copy), ...Array.from({ length: lanes }, lane)]);
    return sent;
  }

  async function sendWithFault(callback: CallbackRow, effect: CallbackFaultEffect, lot: number) {
    const remark = `fault:${effect.kind}`;
    switch (effect.kind) {
      case 'delay':
        return holdBack(callback, effect.ms, remark);
      case 'reorder':
        return holdBack(callback, Math.floor(lot * effect.windowMs), remark);
      case 'drop':
        return drop(callback, effect.retried);
      case 'corrupt': {
        const { payload } = callback;
        const cut = payload.slice(0, Math.floor(lot * payload.length));
        return send(callback, { payload: cut, signedPayload: effect.signed ? cut : payload, remark });
      }
      case 'slow':
        return send(callback, { slowMs: effect.ms, remark });
      case 'wrong-signer':
        return send(callback, { signer: 'wrong', remark });
      case 'storm':
        return sendStorm(callback, effect.times);
      default: {
        const sent = await send(callback);
        const copy = { ...parcelOf(callback), remark };
        for (let n = 0; n < effect.copies; n++) await delivery.deliver(copy);
        return sent;
      }
    }
  }

  /** The status that a callback reports; a car event reports none. */
  function statusOf({ kind, payload }: CallbackRow): number | undefined {
    const callback = profile.callbacks.decode(kind, JSON.parse(payload));
    if (callback.kind === 'car') return undefined;
    return callback.kind === 'status' ? callback.reservationStatus : callback.reservation.reservationStatus;
  }

  return {
    sendPlain: (callback) => send(callback),
    async sendFirst(callback) {
      const { kind, reservationId } = callback;
      const hit = faults.next({ name: kind, reservationId, status: statusOf(callback) });
      return hit ? sendWithFault(callback, hit.fault.effect, hit.lot) : send(callback);
    },
  };
}
