import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import type { Logger } from 'pino';
import { scanQueueOf } from '../../contract/names.js';
import {
  type Role,
  type RoleStart,
  roleWorkflow,
  roleWorkflowId,
  type Suspension,
  suspendedSignal,
} from '../../contract/role.js';
import { ifFound, inTime } from './calls.js';
import { decodePayloads } from './decode-payloads.js';

const withinMs = 10_000;
const reason = 'started on a task queue without a workflow worker; moved to the queue of the workflows';

interface RoleClient {
  client: Client;
  /** The task queue whose workers run workflows. */
  queue: string;
  settings: Omit<RoleStart, 'role' | 'carried'>;
}

/** Notifies the workflow of a role that its key is refused, and starts it where there is none. */
export async function notifyRole(
  {
    client,
    queue,
    settings,
    moveStranded,
  }: RoleClient & {
    /** As `moveStrandedRole`. */
    moveStranded: (role: Role) => Promise<boolean>;
  },
  { role, ...suspension }: Suspension & { role: Role },
): Promise<void> {
  await moveStranded(role);
  const start: RoleStart = { role, ...settings };
  await inTime(client, withinMs, () =>
    client.workflow.signalWithStart(roleWorkflow, {
      workflowId: roleWorkflowId(role),
      taskQueue: queue,
      args: [start],
      staticSummary: `Suspended: ${role}`,
      signal: suspendedSignal,
      signalArgs: [suspension],
    }),
  );
}

/**
 * Moves a role's workflow away from the queue of long scans, where 0.2.0 could start it (L30): no worker runs workflows
 * there. It begins again where they run, with every reservation that reported to it. Repeatable: a process that dies
 * in between leaves a terminated run, from which the next call continues.
 * @returns true where it was moved
 */
export async function moveStrandedRole(
  { client, queue, settings }: RoleClient,
  role: Role,
): Promise<boolean> {
  const workflowId = roleWorkflowId(role);
  const newest = client.workflow.getHandle(workflowId);
  const latest = await ifFound(inTime(client, withinMs, () => newest.describe()));
  if (latest?.taskQueue !== scanQueueOf(queue)) return false;
  const stranded = client.workflow.getHandle(workflowId, latest.runId);
  await ifFound(inTime(client, withinMs, () => stranded.terminate(reason)));
  const waiting = await inTime(client, withinMs, () => readReporters(client, workflowId, latest.runId));
  const start: RoleStart = { role, ...settings, carried: { waiting, alerted: false, relapses: 0 } };
  try {
    await inTime(client, withinMs, () =>
      client.workflow.start(roleWorkflow, {
        workflowId,
        taskQueue: queue,
        args: [start],
        staticSummary: `Suspended: ${role}`,
        workflowIdConflictPolicy: 'FAIL',
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    // another process was faster: its run may have begun with a single report
    for (const reservationId of waiting) {
      const report: Suspension = { reservationId, code: 'UNAUTHORIZED' };
      await ifFound(inTime(client, withinMs, () => newest.signal(suspendedSignal, report)));
    }
  }
  return true;
}

/**
 * Moves workflows that 0.2.0 left behind, when a worker starts. A failure delays this until the role is suspended again, or
 * until the next start.
 * @param move as `moveStrandedRole`
 */
export async function moveStrandedRoles(move: (role: Role) => Promise<boolean>, log: Logger): Promise<void> {
  const both: Role[] = ['supplier', 'channel'];
  for (const role of both) {
    try {
      if (await move(role))
        log.warn({ role }, 'the workflow of a suspended role was moved to the queue of the workflows');
    } catch (error) {
      log.warn(
        { role, error: (error as Error).name },
        'the workflow of a suspended role could not be checked',
      );
    }
  }
}

/** Reservations that wait for the key: those that signalled its workflow. */
async function readReporters(client: Client, workflowId: string, runId: string): Promise<number[]> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const waiting = new Set<number>();
  for (const { workflowExecutionSignaledEventAttributes: signal } of events ?? []) {
    if (signal?.signalName !== suspendedSignal) continue;
    const suspension = await decode<Suspension>(client, signal.input?.payloads ?? []);
    if (typeof suspension?.reservationId === 'number') waiting.add(suspension.reservationId);
  }
  return [...waiting];
}

/** Undefined: the key that encrypted it is gone. */
async function decode<T>(client: Client, payloads: Payload[]): Promise<T | undefined> {
  const { payloadConverter } = client.options.loadedDataConverter;
  try {
    const [plain] = await decodePayloads(client, payloads);
    return plain === undefined ? undefined : payloadConverter.fromPayload<T>(plain);
  } catch {
    return undefined;
  }
}
