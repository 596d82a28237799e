import type { Client } from '@temporalio/client';
import { ifFound, inTime } from './calls.js';

const withinMs = 10_000;

/** Signals a workflow if it is open; does nothing where it does not exist or has ended. @throws what the client throws */
export async function signalIfOpen(
  client: Client,
  workflowId: string,
  signal: string,
  ...args: unknown[]
): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  await ifFound(inTime(client, withinMs, () => handle.signal(signal, ...args)));
}

/** Terminates a workflow if it is open. @throws what the client throws */
export async function terminateIfOpen(client: Client, workflowId: string, reason: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  await ifFound(inTime(client, withinMs, () => handle.terminate(reason)));
}
