import { Client } from '@temporalio/client';
import { connectClient, type TemporalTarget } from '../connection/connection.js';
import { isPolled } from '../connection/pollers.js';
import { missingSearchAttributes } from '../search-attributes.js';

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
  const callInTime = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + withinMs, call);
  return {
    retentionHours: () =>
      callInTime(async () => {
        const { config } = await client.workflowService.describeNamespace({ namespace });
        return Math.round(Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / 3_600);
      }),
    missingSearchAttributes: () => callInTime(() => missingSearchAttributes(connection, namespace)),
    isPolled: (queue, kind) => callInTime(() => isPolled(client, queue, kind)),
    close: () => connection.close(),
  };
}
