import { Counter, type Registry } from 'prom-client';
import type { CallbackWire } from '../../inbox/event/decode.js';
import { type OnMismatch, reportUnread } from '../../platform/mismatches.js';
import type { Logger } from '../log.js';

/** Values from the platform that do not fit the wire profile, counted for `/metrics` and each logged once. */
export interface Mismatches {
  report: OnMismatch;
  /** Adds the counter to what a process shows. */
  showOn(registry: Registry): void;
}

/** Most fields for which a line is logged; a profile has a few hundred. */
const mostLogged = 1_000;

export function createMismatches(log: Pick<Logger, 'warn'>): Mismatches {
  const counter = new Counter({
    name: 'handover_platform_mismatches_total',
    help: 'Values of the platform that do not fit the wire profile and were read as unknown',
    // names of the profile's fields and of types: closed lists, never a value
    labelNames: ['operation', 'path', 'received', 'gap'] as const,
    registers: [],
  });
  const logged = new Set<string>();
  return {
    report({ operation, path, expected, received, gap = 'none', count }) {
      counter.inc({ operation, path, received, gap }, count);
      const key = `${operation} ${path} ${received}`;
      if (logged.has(key) || logged.size >= mostLogged) return;
      logged.add(key);
      log.warn(
        { operation, path, expected, received, gap },
        'a value of the platform does not fit the wire profile; it is read as unknown',
      );
    },
    showOn: (registry) => registry.registerMetric(counter),
  };
}

/** The callbacks of a profile, each of which reports unknown values when it is read. */
export function reportingCallbacks(wire: CallbackWire, report: OnMismatch): CallbackWire {
  return {
    ...wire,
    decode(kind, body) {
      const callback = wire.decode(kind, body);
      reportUnread(`callback ${kind}`, 'reservation' in callback ? callback.reservation : callback, report);
      return callback;
    },
  };
}
