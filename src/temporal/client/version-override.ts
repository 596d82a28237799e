import type { Client } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import proto from '@temporalio/proto';
import { grpcStatusOf } from '../connection/unavailable.js';

const { PINNED_OVERRIDE_BEHAVIOR_PINNED: behavior } =
  proto.temporal.api.workflow.v1.VersioningOverride.PinnedOverrideBehavior;
/** NOT_FOUND: also of a run that is closed. */
const notFound = 5;
const withinMs = 30_000;

/**
 * Sets which version of the workers continues an open run, or removes what was set; does nothing where it has ended.
 * @throws `EngineUnavailableError`; the service's error
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
  try {
    await client.withDeadline(Date.now() + withinMs, () =>
      client.workflowService.updateWorkflowExecutionOptions(request),
    );
  } catch (error) {
    if (grpcStatusOf(error) !== notFound) throw error;
  }
}
