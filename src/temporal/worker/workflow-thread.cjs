// The SDK's workflow thread at less CPU (workflow-thread.ts). It is CommonJS because it replaces a CommonJS file.
const { Script } = require('node:vm');
const { GlobalHandlers } = require('@temporalio/worker/lib/workflow/vm-shared');

// `v8.promiseHooks.createHook` must not be replaced: the SDK's cancellation scopes use `AsyncLocalStorage`, which needs it.
if (process.argv.includes('stack-traces=off')) GlobalHandlers.prototype.setPromiseHook = () => {};

// Each activation enters the sandbox three times, and Node starts a thread for the time limit of each entry
// (nodejs/node#47739). An entry that runs no workflow code needs no limit. An unknown entry retains its limit.
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function (context, options) {
  return runInContext.call(this, context, mayLoop(context) ? options : { ...options, timeout: undefined });
};

function mayLoop(context) {
  const [workflow, name] = context.__temporal_args ?? [];
  const isEntered = context.__TEMPORAL_BAG_HOLDER__ === workflow;
  if (name === 'tryUnblockConditions' && isEntered)
    return context.__TEMPORAL_ACTIVATOR__.blockedConditions.size > 0;
  return name !== 'concludeActivation';
}

require('@temporalio/worker/lib/workflow/workflow-worker-thread');
