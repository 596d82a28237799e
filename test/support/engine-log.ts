import { DefaultLogger, Runtime } from '@temporalio/worker';
import { lostTask } from '../../src/temporal/worker/runtime.js';
import { replaceWorkflowThread } from '../../src/temporal/worker/workflow-thread.js';

const lines: string[] = [];
let installed = false;

/** Installs the SDK's runtime of this test file, once, with a log that tests can read; warnings are kept, not shown. */
export function installTestRuntime(): void {
  if (installed) return;
  installed = true;
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    lines.push(`${level} ${message} ${meta?.error ?? ''}`.trim());
  });
  replaceWorkflowThread({ log: logger });
  Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
}

/** How many workflow tasks the SDK has lost in this test file so far. */
export const lostTasks = () => lines.filter((line) => line.includes(lostTask)).length;

/** Fails when a workflow ended under a running handler: its caller would get no answer. */
export function assertNoAbandonedHandlers(): void {
  const abandoned = lines.splice(0).filter((line) => line.includes('TMPRL1102'));
  if (abandoned.length > 0)
    throw new Error(`a workflow ended with handlers running:\n${abandoned.join('\n')}`);
}
