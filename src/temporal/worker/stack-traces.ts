import { createRequire } from 'node:module';
import threads from 'node:worker_threads';

const require = createRequire(import.meta.url);
const sdk = '@temporalio/worker/lib/workflow';
const { GlobalHandlers } = require(`${sdk}/vm-shared`);
const isKnown = typeof GlobalHandlers?.prototype?.setPromiseHook === 'function';
const { setPromiseHook } = GlobalHandlers?.prototype ?? {};
const sdkThread = require.resolve(`${sdk}/workflow-worker-thread`);
const { Worker } = threads;

/** Starts the SDK's workflow thread from a file of ours, and any other thread as it is. */
class WithoutStackTraces extends Worker {
  constructor(file: string | URL, options?: threads.WorkerOptions) {
    super(file === sdkThread ? require.resolve('./workflow-thread.cjs') : file, options);
  }
}

/**
 * Whether workers that this process creates from now on have the call stack of a workflow, for Temporal UI: the SDK takes a stack
 * at each promise of workflow code for it, by a promise hook. Without it the `__stack_trace` query is refused. The SDK has no option
 * for this. Node's own promise hooks stay in any case (so `v8.promiseHooks.createHook` must not be replaced): the SDK's cancellation
 * scopes rest on `AsyncLocalStorage`, which needs them.
 * @returns false where this SDK has another form than the one known here: stack traces stay on
 */
export function setStackTraces(areOn: boolean): boolean {
  if (!isKnown) return areOn;
  Object.assign(threads, { Worker: areOn ? Worker : WithoutStackTraces });
  // the SDK's debug mode and its replays run workflows on the main thread
  GlobalHandlers.prototype.setPromiseHook = areOn ? setPromiseHook : () => {};
  return true;
}
