import { Client } from '@temporalio/client';
import { connectClient, type TemporalTarget } from '../connection/connection.js';
import { missingSearchAttributes } from '../search-attributes.js';
import { inTime } from './calls.js';
import { isPolled } from './pollers.js';

/** Reads facts about a service. Each method throws the service's error. */
export interface ExaminedService {
  /** How long ended workflows are stored. */
  retentionHours(): Promise<number>;
  missingSearchAttributes(): Promise<string[]>;
  isPolled(queue: string, kind: 'workflows' | 'activities'): Promise<boolean>;
  close(): Promise<void>;
}

const withinMs = 10_000;

/** Connects to a service for reading only. @throws `TemporalUnreachableError` */
export async function examineService(target: TemporalTarget): Promise<ExaminedService> {
  const connection = await connectClient(target);
  const { namespace } = target;
  const client = new Client({ connection, namespace });
  return {
    retentionHours: () =>
      inTime(client, withinMs, async () => {
        const { config } = await client.workflowService.describeNamespace({ namespace });
        return Math.round(Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / 3_600);
      }),
    missingSearchAttributes: () =>
      inTime(client, withinMs, () => missingSearchAttributes(connection, namespace)),
    isPolled: (queue, kind) => inTime(client, withinMs, () => isPolled(client, queue, kind)),
    close: () => connection.close(),
  };
}
