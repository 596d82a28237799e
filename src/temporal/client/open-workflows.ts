import { type Client, WorkflowNotFoundError } from '@temporalio/client';

const withinMs = 10_000;

/** Signals a workflow if it is open; does nothing where it does not exist or has ended. @throws what the client throws */
export async function signalIfOpen(
  client: Client,
  workflowId: string,
  signal: string,
  ...args: unknown[]
): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  await ifOpen(client.withDeadline(Date.now() + withinMs, () => handle.signal(signal, ...args)));
}

/** Terminates a workflow if it is open. @throws what the client throws */
export async function terminateIfOpen(client: Client, workflowId: string, reason: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowId);
  await ifOpen(client.withDeadline(Date.now() + withinMs, () => handle.terminate(reason)));
}

async function ifOpen(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
