import type { Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import proto from '@temporalio/proto';
import { ifFound, inTime } from './calls.js';

const { PINNED_OVERRIDE_BEHAVIOR_PINNED: behavior } =
  proto.temporal.api.workflow.v1.VersioningOverride.PinnedOverrideBehavior;
const withinMs = 30_000;

/** The build that an open run was given by `overrideVersion`; null: none, or the run is not found. @throws the service's error */
export async function overriddenBuild(client: Client, workflowId: string): Promise<string | null> {
  const request = { namespace: client.options.namespace, execution: { workflowId } };
  const found = await ifFound(
    inTime(client, withinMs, () => client.workflowService.describeWorkflowExecution(request)),
  );
  return found?.workflowExecutionInfo?.versioningInfo?.versioningOverride?.pinned?.version?.buildId ?? null;
}

/**
 * Sets which version of the workers continues an open run, or removes what was set; does nothing where it has ended.
 * @throws the service's error, other than that the run has ended
 */
export async function overrideVersion(
  client: Client,
  workflowId: string,
  version: WorkerDeploymentVersion | null,
): Promise<void> {
  const request = {
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    workflowExecutionOptions:
      version === null ? {} : { versioningOverride: { pinned: { behavior, version } } },
    updateMask: { paths: ['versioning_override'] },
    identity: 'handover release',
  };
  // nothing is found also where the run is closed
  await ifFound(
    inTime(client, withinMs, () => client.workflowService.updateWorkflowExecutionOptions(request)),
  );
}
