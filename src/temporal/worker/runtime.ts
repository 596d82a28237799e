import type { LogLevel, LogMetadata, Logger as TemporalLogger } from '@temporalio/common';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

interface RuntimeOptions {
  log: Logger;
  /** Address of the SDK's own metrics, for example `127.0.0.1:9464`. Absent: no metrics. */
  metricsAddress?: string;
  /** Called when the SDK has lost a workflow task: its reservation is blocked in this process, and two slots with it. */
  onLostTask?: () => void;
}

/** Prometheus' own conventions, as Handover's metrics have them: counters end in `_total`, times are seconds and say so. */
const naming = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };

/**
 * Installs the SDK's runtime of the process, once and before any worker connection. The SDK and its native core write to
 * Handover's log. Handover handles the process signals, because the SDK would stop the worker before the intake.
 */
export function installRuntime({ log, metricsAddress, onLostTask }: RuntimeOptions): Runtime {
  return Runtime.install({
    logger: temporalLogger(log, onLostTask),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(metricsAddress !== undefined && {
        metrics: { prometheus: { bindAddress: metricsAddress, ...naming } },
      }),
    },
  });
}

/**
 * What the SDK's Core 1.24 writes when it loses a task: two tasks of one run waited for a place in its full memory, and the
 * later one needed the history first. It never runs the earlier one, and no later one of that run.
 */
export const lostTask = 'Extra buffered run should not have produced an activation';

/** The SDK's warning for a worker that runs only activities, which is intended. */
const withoutWorkflows = 'No workflows registered, not polling for workflow tasks';

/**
 * The SDK's logger interface, writing to Handover's log; metadata (ids, task queue, attempt) become fields. The text of
 * an activity's error is left out (L60): an error of the database or of HTTP may quote personal data.
 */
export function temporalLogger(log: Logger, onLostTask: () => void = () => {}): TemporalLogger {
  const write = (level: LogLevel, message: string, { error, ...fields }: LogMetadata = {}) => {
    if (message.includes(lostTask)) onLostTask();
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
