import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { moveSignal, reservationWorkflowId } from '../../src/contract/names.js';
import { median, rounded } from '../statistics.js';
import { eventsOf, withClient } from './histories.js';

/** Signals after which a run continues as new (src/app/config/policy.ts). */
const signalsPerRun = 500;
const givesUpAfterMs = 60_000;

export interface Continued {
  runs: number;
  /** From the last signal until the next run exists, median. */
  ms: number;
  /** Events of the run that ended, and of the next one until it waits. */
  eventsBefore: number;
  eventsAfter: number;
  /** Bytes that the next run starts with, encrypted. */
  carriedKb: number;
}

/** Fills the runs of these reservations with signals that change nothing, until each continues as new. */
export function continueAsNew(address: string, reservationIds: readonly number[]): Promise<Continued> {
  return withClient(address, async (client) => {
    const all: Awaited<ReturnType<typeof continueOne>>[] = [];
    for (const id of reservationIds) all.push(await continueOne(client, reservationWorkflowId(id)));
    const middle = (read: (one: (typeof all)[number]) => number) => rounded(median(all.map(read)), 1);
    return {
      runs: all.length,
      ms: Math.round(middle(({ ms }) => ms)),
      eventsBefore: middle(({ eventsBefore }) => eventsBefore),
      eventsAfter: middle(({ eventsAfter }) => eventsAfter),
      carriedKb: middle(({ carriedBytes }) => carriedBytes / 1024),
    };
  });
}

async function continueOne(client: Client, workflowId: string) {
  const handle = client.workflow.getHandle(workflowId);
  const { runId } = await handle.describe();
  for (let sent = 0; sent < signalsPerRun; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => handle.signal(moveSignal)));
  const began = performance.now();
  let next = runId;
  while (next === runId) {
    if (performance.now() - began > givesUpAfterMs) throw new Error(`${workflowId} does not continue as new`);
    await sleep(20);
    next = (await handle.describe()).runId;
  }
  const ms = performance.now() - began;
  // its first task is done when the sample is read
  await sleep(1_000);
  const [before, after] = await Promise.all([
    eventsOf(client, workflowId, runId),
    eventsOf(client, workflowId, next),
  ]);
  const payloads = after[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const carriedBytes = payloads.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  return { ms, eventsBefore: before.length, eventsAfter: after.length, carriedBytes };
}
