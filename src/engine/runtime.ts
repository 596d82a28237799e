import type { LogLevel, LogMetadata, Logger as TemporalLogger } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import type { Logger } from '../log.js';

export interface RuntimeOptions {
  log: Logger;
  /** `127.0.0.1:9464`: where Prometheus finds the SDK's own metrics. Absent: none. */
  metricsAddress?: string;
}

/**
 * Sets the SDK's process-wide runtime; once, before any worker connection. Its logs and those of its native core go
 * into our stream, and signals stay ours: the SDK would stop the worker before the intake.
 */
export function installRuntime({ log, metricsAddress }: RuntimeOptions): Runtime {
  return Runtime.install({
    logger: temporalLogger(log),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(metricsAddress !== undefined && { metrics: { prometheus: { bindAddress: metricsAddress } } }),
    },
  });
}

/** The SDK's logger interface over ours; its metadata (ids, task queue, attempt) become fields. */
function temporalLogger(log: Logger): TemporalLogger {
  const write = (level: LogLevel, message: string, { error, ...fields }: LogMetadata = {}) => {
    const method = level.toLowerCase() as Lowercase<LogLevel>;
    log[method](error === undefined ? fields : { ...fields, err: error }, message);
  };
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}
