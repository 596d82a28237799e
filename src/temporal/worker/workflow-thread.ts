import { createRequire } from 'node:module';
import threads from 'node:worker_threads';

const require = createRequire(import.meta.url);
const { Worker } = threads;
const thread = require.resolve('./workflow-thread.cjs');
const sdk = findSdk();

interface WorkflowThreadOptions {
  log: { warn(text: string): void };
  /** True: Temporal UI shows the call stack of workflows. False: the `__stack_trace` query is refused. */
  stackTraces?: boolean;
}

/**
 * Replaces the SDK's workflow thread, for workers created afterwards, by one that uses less CPU. It starts no thread for
 * an entry into the sandbox that runs no workflow code, and records a stack at each promise only for `stackTraces`. The
 * SDK has no option for either. Where the SDK's code has changed, its own thread runs, and `log` has one warning.
 */
export function replaceWorkflowThread({ log, stackTraces = false }: WorkflowThreadOptions): void {
  if (sdk === null) {
    log.warn('this version of the Temporal SDK is not known: workflows run in its own thread, at more CPU');
    return;
  }
  const { file: sdkThread, handlers, setPromiseHook } = sdk;
  class WorkflowThread extends Worker {
    constructor(file: string | URL, options?: threads.WorkerOptions) {
      if (file === sdkThread)
        super(thread, { ...options, argv: [`stack-traces=${stackTraces ? 'on' : 'off'}`] });
      else super(file, options);
    }
  }
  Object.assign(threads, { Worker: WorkflowThread });
  // in debug mode and for replays, the SDK runs workflows on the main thread
  handlers.setPromiseHook = stackTraces ? setPromiseHook : () => {};
}

/** The parts of the SDK that are replaced; null where the SDK's code differs from the known version. */
function findSdk(): { file: string; handlers: Hooks; setPromiseHook(): void } | null {
  try {
    const file = require.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread');
    const handlers: Hooks = require('@temporalio/worker/lib/workflow/vm-shared').GlobalHandlers.prototype;
    const { setPromiseHook } = handlers;
    return typeof setPromiseHook === 'function' ? { file, handlers, setPromiseHook } : null;
  } catch {
    return null;
  }
}

interface Hooks {
  /** Installs the hook that records a stack at each promise. */
  setPromiseHook(): void;
}
