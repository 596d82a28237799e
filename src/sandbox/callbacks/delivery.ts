import type { CallbackKind } from '../../platform/model.js';
import type { Clock } from '../core/clock.js';
import type { SandboxMetrics } from '../metrics.js';
import type { Journal } from '../store/journal.js';
import { type Letter, openSender, type Sender, type SendResult } from './sender.js';
import type { CallbackTarget } from './target.js';

/** A callback on its way. */
export interface Parcel extends Letter {
  /** Null for one made by hand that is of no kind. */
  kind: CallbackKind | null;
  reservationId: number | null;
  /** What stands before the outcome in the journal, such as `fault:duplicate`. */
  remark?: string;
}

export interface Delivery {
  hasTarget(): boolean;
  setTarget(target: CallbackTarget | undefined): void;
  /** Sends once and journals it; null where there is no receiver, or it was dropped meanwhile. */
  deliver(parcel: Parcel): Promise<SendResult | null>;
  /** Journals a callback that is not sent. */
  withhold(parcel: Parcel): void;
  /** Abandons requests in flight: they may arrive, and their results are not stored. */
  forget(): void;
  close(): Promise<void>;
}

/** Sends requests to the receiver and journals each attempt with both bodies and its time. */
export function openDelivery(options: {
  clock: Clock;
  journal: Journal;
  withinMs: number;
  connections: number;
  countCallback: SandboxMetrics['countCallback'];
}): Delivery {
  const { clock, journal, withinMs, connections, countCallback } = options;
  let sender: Sender | undefined;
  let era = 0;

  function record(parcel: Parcel, at: number, durationMs: number, result: Partial<SendResult>): void {
    const { kind, path, reservationId, payload, webhookId, remark } = parcel;
    countCallback({ kind: kind ?? 'other', result, seconds: durationMs / 1000 });
    journal.add({
      kind: 'callback',
      at,
      durationMs,
      method: 'POST',
      path,
      operation: `callback:${kind ?? 'other'}`,
      status: result.status ?? null,
      reservationId,
      effect: [remark, result.outcome].filter((word) => word !== undefined).join(':'),
      requestBody: payload,
      responseBody: result.answer ?? null,
      webhookId,
    });
  }

  return {
    hasTarget: () => sender !== undefined,
    setTarget(target) {
      void sender?.close();
      sender = target && openSender(target, withinMs, connections);
    },
    async deliver(parcel) {
      if (!sender) return null;
      const begun = era;
      const at = clock.now();
      const began = performance.now();
      const result = await sender.send(parcel);
      if (begun !== era) return null;
      record(parcel, at, Math.round(performance.now() - began), result);
      return result;
    },
    withhold(parcel) {
      record(parcel, clock.now(), 0, {});
    },
    forget() {
      era++;
    },
    async close() {
      era++;
      await sender?.close();
    },
  };
}
