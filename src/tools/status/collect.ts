import { version } from '../../app/installation.js';
import { databaseErrorCode } from '../../store/connection/errors.js';
import { within } from '../../store/connection/within.js';
import { readTemporalStatus, type TemporalStatus } from '../../temporal/client/cluster-status.js';
import { createTemporalClient } from '../../temporal/client/create-client.js';
import { connectClient, type TemporalTarget } from '../../temporal/connection/connection.js';
import { engineCode } from '../../temporal/connection/unavailable.js';
import { componentsOf, failing } from './components.js';
import type { Component, Source, Status } from './types.js';

const withinMs = 5_000;

/**
 * Reads everything, side by side; a part that does not answer is shown so, and the others still.
 * @param deploymentName of the workers' versions; absent: they have none
 */
export async function collectStatus(
  source: Source,
  target: TemporalTarget,
  deploymentName?: string,
): Promise<Status> {
  const [stored, temporal] = await Promise.allSettled([
    within(withinMs, source.read()),
    readTemporal(target, deploymentName),
  ]);
  const components: Component[] = [
    stored.status === 'fulfilled'
      ? { name: source.name, state: 'ok', detail: stored.value.detail }
      : { name: source.name, state: 'failing', detail: `cannot be read (${reasonOf(stored.reason)})` },
    ...(temporal.status === 'fulfilled'
      ? componentsOf(temporal.value, target)
      : [failing('Temporal', `${target.address} does not answer (${reasonOf(temporal.reason)})`)]),
  ];
  const alerts = stored.status === 'fulfilled' ? stored.value.alerts : null;
  const stuck = temporal.status === 'fulfilled' ? temporal.value.stuck : null;
  return {
    asOf: new Date().toISOString(),
    version,
    components,
    statusApis: stored.status === 'fulfilled' ? stored.value.statusApis : null,
    intake: stored.status === 'fulfilled' ? stored.value.intake : null,
    suspendedRoles:
      alerts?.filter(({ kind }) => kind === 'role-suspended').map(({ subject }) => subject) ?? null,
    alerts,
    stuckWorkflows: stuck?.map(({ workflowId }) => workflowId) ?? null,
  };
}

async function readTemporal(target: TemporalTarget, deploymentName?: string): Promise<TemporalStatus> {
  const connection = await connectClient(target);
  try {
    return await readTemporalStatus(createTemporalClient(target, connection, {}).client, deploymentName);
  } finally {
    await connection.close();
  }
}

/** A code, or our own sentence: never an address with a password. */
function reasonOf(error: unknown): string {
  const code = engineCode(error) ?? databaseErrorCode(error);
  return code === 'UNKNOWN' && error instanceof Error ? error.message : code;
}
