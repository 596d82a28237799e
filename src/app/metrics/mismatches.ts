import { Counter, type Registry } from 'prom-client';
import type { CallbackWire } from '../../inbox/event/decode.js';
import { type OnMismatch, reportUnread } from '../../platform/mismatches.js';
import type { Logger } from '../log.js';

/** Most fields for which a line is logged; a profile has a few hundred. */
const mostLogged = 1_000;

/** Values from the platform that do not fit the wire profile, counted for `/metrics` and each logged once. */
export function createMismatches(registry: Registry, log: Pick<Logger, 'warn'>): OnMismatch {
  const counter = new Counter({
    name: 'handover_platform_mismatches_total',
    help: 'Values of the platform that do not fit the wire profile and were read as unknown',
    // names of the profile's fields and of types: closed lists, never a value
    labelNames: ['operation', 'path', 'received', 'gap'] as const,
    registers: [registry],
  });
  const logged = new Set<string>();
  return ({ operation, path, expected, received, gap = 'none', count }) => {
    counter.inc({ operation, path, received, gap }, count);
    const key = `${operation} ${path} ${received}`;
    if (logged.has(key) || logged.size >= mostLogged) return;
    logged.add(key);
    log.warn(
      { operation, path, expected, received, gap },
      'a value of the platform does not fit the wire profile; it is read as unknown',
    );
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
