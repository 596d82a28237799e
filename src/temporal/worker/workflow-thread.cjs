// CommonJS, as the SDK's file that it replaces: the SDK's workflow thread, at less CPU (stack-traces.ts).
const { Script } = require('node:vm');
const { GlobalHandlers } = require('@temporalio/worker/lib/workflow/vm-shared');

GlobalHandlers.prototype.setPromiseHook = () => {};

// Each activation enters the sandbox three times, and for the time limit of each entry Node starts a thread (nodejs/node#47739).
// An entry that runs no workflow code needs no limit; one that is not known here keeps it.
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function (context, options) {
  return runInContext.call(this, context, mayLoop(context) ? options : { ...options, timeout: undefined });
};

function mayLoop(context) {
  const [workflow, name] = context.__temporal_args ?? [];
  if (name === 'concludeActivation') return false;
  const isEntered = context.__TEMPORAL_BAG_HOLDER__ === workflow;
  const conditions = isEntered ? context.__TEMPORAL_ACTIVATOR__?.blockedConditions?.size : undefined;
  return name !== 'tryUnblockConditions' || conditions !== 0;
}

require('@temporalio/worker/lib/workflow/workflow-worker-thread');
