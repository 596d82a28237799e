import { Script } from 'node:vm';

// Each entry into a workflow's sandbox has a time limit, for which Node starts a thread (nodejs/node#47739).
// With TEMPORAL_DEBUG the limit is 49 days, so without it nothing is lost.
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function (context, { timeout, ...options } = {}) {
  const isLimited = timeout !== undefined && timeout < 2 ** 32 - 1;
  return runInContext.call(this, context, isLimited ? { timeout, ...options } : options);
};
