import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
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

const deadlineMs = 10_000;
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
  await client.withDeadline(Date.now() + deadlineMs, () =>
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
 * there. It begins anew where they run, with every reservation that reported to it. Repeatable: a process that dies
 * in between leaves a terminated run, from which the next call continues.
 * @returns true where it was moved
 */
export async function moveStrandedRole(
  { client, queue, settings }: RoleClient,
  role: Role,
): Promise<boolean> {
  const inTime = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + deadlineMs, call);
  const workflowId = roleWorkflowId(role);
  const latest = await inTime(() => client.workflow.getHandle(workflowId).describe()).catch(ifUnknown);
  if (latest?.taskQueue !== scanQueueOf(queue)) return false;
  const stranded = client.workflow.getHandle(workflowId, latest.runId);
  await inTime(() => stranded.terminate(reason)).catch(ifUnknown);
  const waiting = await inTime(() => readReporters(client, workflowId, latest.runId));
  const start: RoleStart = { role, ...settings, carried: { waiting, alerted: false, relapses: 0 } };
  try {
    await inTime(() =>
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
      await inTime(() => client.workflow.getHandle(workflowId).signal(suspendedSignal, report)).catch(
        ifUnknown,
      );
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
  const { payloadCodecs, payloadConverter } = client.options.loadedDataConverter;
  try {
    let plain = payloads;
    for (const codec of payloadCodecs.toReversed()) plain = await codec.decode(plain);
    return plain[0] === undefined ? undefined : payloadConverter.fromPayload<T>(plain[0]);
  } catch {
    return undefined;
  }
}

function ifUnknown(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
