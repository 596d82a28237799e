import type { LogLevel, LogMetadata, Logger as TemporalLogger } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

interface RuntimeOptions {
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

/** A warning of each worker for activities alone (`createPacedWorker`), which is meant so. */
const withoutWorkflows = 'No workflows registered, not polling for workflow tasks';

/**
 * The SDK's logger interface over ours; its metadata (ids, task queue, attempt) become fields. Of an activity's error
 * the text stays out (L60): one of the database or of HTTP may quote what it was given.
 */
export function temporalLogger(log: Logger): TemporalLogger {
  const write = (level: LogLevel, message: string, { error, ...fields }: LogMetadata = {}) => {
    const method = message === withoutWorkflows ? 'debug' : (level.toLowerCase() as Lowercase<LogLevel>);
    const failure = error === undefined ? {} : { failure: describeError(error, !('activityId' in fields)) };
    log[method]({ ...fields, ...failure }, message);
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

function describeError(error: unknown, withText: boolean): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name: type, message, stack = '' } = error;
  const frames = stack.replace(message, '').match(/^\s+at .+$/gm) ?? [];
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type, ...code, ...(withText && { message }), stack: frames.join('\n') };
}
