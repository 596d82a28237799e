// CommonJS, as the SDK's file that it replaces: the SDK's workflow thread, at less CPU (workflow-thread.ts).
const { Script } = require('node:vm');
const { GlobalHandlers } = require('@temporalio/worker/lib/workflow/vm-shared');

// Node's own promise hooks stay (`v8.promiseHooks.createHook` must not be replaced): the SDK's cancellation scopes rest on
// `AsyncLocalStorage`, which needs them.
if (process.argv.includes('stack-traces=off')) GlobalHandlers.prototype.setPromiseHook = () => {};

// Each activation enters the sandbox three times, and for the time limit of each entry Node starts a thread (nodejs/node#47739).
// An entry that runs no workflow code needs no limit; one that is not known here keeps it.
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
