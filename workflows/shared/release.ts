import { makeContinueAsNewFunc, type Workflow, workflowInfo } from '@temporalio/workflow';

/**
 * Whether runs of this workflow now start on another release than this one (Worker Versioning). The server reports it with
 * each workflow task, and the history has it; false where workers have no versions.
 */
export function isReleaseReplaced(): boolean {
  return workflowInfo().targetWorkerDeploymentVersionChanged;
}

/** Continues as new, on the release where runs start now. */
export function continueAsNewOnCurrentRelease<F extends Workflow>(...args: Parameters<F>): Promise<never> {
  const next = isReleaseReplaced() ? { initialVersioningBehavior: 'AUTO_UPGRADE' as const } : {};
  return makeContinueAsNewFunc<F>(next)(...args);
}
