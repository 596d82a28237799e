import { Registry } from 'prom-client';
import type { OnCall } from '../../platform/client/call.js';
import type { OnMismatch } from '../../platform/mismatches.js';
import type { OnJudged } from '../../store/callbacks/types.js';
import type { OnStatement } from '../../store/connection/on-statement.js';
import type { SendBatch } from '../../temporal/client/reservations/send.js';
import type { Logger } from '../log.js';
import { createDatabaseMeasures } from './database.js';
import { createMismatches } from './mismatches.js';
import { createPlatformMeasures } from './platform.js';
import { createRelayMeasures } from './relay.js';
import { createVerdictMeasures } from './verdicts.js';

/** What the parts of a process count, from its start: a part that stops and starts again continues to count. */
export interface Measures {
  onMismatch: OnMismatch;
  onStatement: OnStatement;
  onCall: OnCall;
  onJudged: OnJudged;
  /** The same function, measured. */
  measureSends(send: SendBatch): SendBatch;
  /** Adds all of it to what a process shows. */
  showOn(registry: Registry): void;
}

export function createMeasures(log: Pick<Logger, 'warn'>): Measures {
  const own = new Registry();
  return {
    onMismatch: createMismatches(own, log),
    onStatement: createDatabaseMeasures(own),
    onCall: createPlatformMeasures(own),
    onJudged: createVerdictMeasures(own),
    measureSends: createRelayMeasures(own),
    showOn(registry) {
      for (const { name } of own.getMetricsAsArray()) {
        const metric = own.getSingleMetric(name);
        if (metric !== undefined) registry.registerMetric(metric);
      }
    },
  };
}
