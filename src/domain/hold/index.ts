export { isRefusal, newPeriod } from './check.js';
export {
  type ChangeHold,
  changeHold,
  changeOfOver,
  checkChange,
  checkRelease,
  checkResolve,
  type EndHold,
  type HoldRefusal,
  newHold,
  releaseHold,
  resolveHold,
  standingAmong,
} from './commands.js';
export { applyStepAnswer, decideHold } from './decide.js';
export {
  closeWithoutWorkflow,
  factsOfView,
  isWithoutWorkflow,
  withoutWorkflow,
} from './gone.js';
export type * from './types.js';
export {
  attentionOfHolds,
  type HoldAttentionKind,
  type HoldCommandView,
  type HoldFacts,
  type HoldStateName,
  type HoldView,
  holdFacts,
  holdStates,
  holdView,
} from './view.js';
