import type { WorkerDeploymentVersion } from '@temporalio/common';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { versionsOff } from '../connection/versions-off.js';

/** The first server that reports to a pinned run that its release is replaced. */
const firstServer = [1, 31] as const;

export type Versioning = Pick<WorkerOptions, 'workerDeploymentOptions'>;

/**
 * Options of workers that run as `version`: each run stays on the version where it started, and moves when it continues as
 * new. Empty, with one warning, where the server cannot move runs.
 * @throws the service's error where it cannot be asked
 */
export async function versioningOf(
  { workflowService }: Pick<NativeConnection, 'workflowService'>,
  version: WorkerDeploymentVersion | undefined,
  { namespace, log }: { namespace: string; log: Logger },
): Promise<Versioning> {
  if (version === undefined) return {};
  const { serverVersion } = await workflowService.getSystemInfo({});
  const lacks = isOlder(serverVersion ?? '')
    ? `its server is ${serverVersion}, and ${firstServer.join('.')} is needed`
    : await refusalOf(() => workflowService.listWorkerDeployments({ namespace, pageSize: 1 }));
  if (lacks === undefined) {
    const how = { useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } as const;
    log.info({ ...version }, 'the workers have a version: they receive tasks once it is promoted');
    return { workerDeploymentOptions: { version, ...how } };
  }
  log.warn(`the workers run without a version, because Temporal has no Worker Versioning for them: ${lacks}`);
  return {};
}

/** False where the version has another form, as that of a hosted service. */
function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = /^v?(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? firstServer;
  return major < firstServer[0] || (major === firstServer[0] && minor < firstServer[1]);
}

async function refusalOf(call: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    const refusal = versionsOff(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}
