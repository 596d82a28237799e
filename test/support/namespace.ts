import { randomUUID } from 'node:crypto';
import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { eventually } from './eventually.js';

/** A new namespace, ready with our search attributes. Other parts of the server learn of it with a delay. */
export async function newNamespace(connection: Connection, name: string): Promise<string> {
  const namespace = `${name}-${randomUUID()}`;
  const { workflowService } = connection;
  await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  await eventually(`namespace ${namespace}`, () =>
    workflowService.countWorkflowExecutions({ namespace }).then(
      () => true,
      () => false,
    ),
  );
  await registerSearchAttributes(connection, namespace);
  return namespace;
}
