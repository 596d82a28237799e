import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';

/**
 * Waits until a Temporal server answers for its namespace.
 * @param ended returns how the server's process ended, undefined while it runs; called between two tries
 * @returns undefined once the server answers, otherwise the reason why it does not
 */
export async function waitUntilServing(
  address: string,
  namespace: string,
  withinMs: number,
  ended: () => string | undefined,
): Promise<string | undefined> {
  // loaded while the server starts, before the time begins that the server has
  const { Connection } = await import('@temporalio/client');
  const isServing = () => answers(Connection.lazy({ address, tls: false }), namespace);
  const until = Date.now() + withinMs;
  for (;;) {
    if (await isServing()) return undefined;
    const reason = ended();
    if (reason !== undefined) return reason;
    if (Date.now() > until) return `no answer on ${address} within ${Math.round(withinMs / 1000)} s`;
    await sleep(50);
  }
}

/** One try: whether the server answers and has the namespace. */
async function answers(connection: Connection, namespace: string): Promise<boolean> {
  try {
    const describe = () => connection.workflowService.describeNamespace({ namespace });
    await connection.withDeadline(Date.now() + 1_000, describe);
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}
