import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import {
  awaitHoldUpdate,
  changeHoldUpdate,
  type HoldCommandResult,
  type HoldStart,
  holdQuery,
  holdWorkflow,
  holdWorkflowId,
  releaseHoldUpdate,
  resolveHoldUpdate,
} from '../../src/contract/hold.js';
import { scanQueueOf } from '../../src/contract/names.js';
import type { ChangeHold, HoldRequest, HoldView } from '../../src/domain/hold/index.js';
import { createScanWorker } from '../../src/temporal/worker/worker.js';
import { workflowBundle } from './engine.js';
import { FakePlatform } from './fake-platform.js';
import { read } from './read.js';
import { endRun, releaseLostTimeLocks } from './skipped-time.js';
import { createWorker } from './whole-worker.js';

interface Environment {
  nativeConnection: NativeConnection;
  client: Client;
  namespace?: string | undefined;
  dataConverter?: DataConverter;
}

/** Handle on one hold under test. */
export class TestHold {
  constructor(
    private readonly client: Client,
    readonly taskQueue: string,
    readonly request: HoldRequest,
  ) {}

  get handle() {
    return this.client.workflow.getHandle(holdWorkflowId(this.request.holdId));
  }
  async start(more: Partial<HoldStart> = {}): Promise<void> {
    const start: HoldStart = {
      request: this.request,
      zoneOffsetMinutes: 540,
      historyEventsPerRun: 1_000,
      ...more,
    };
    const workflowId = holdWorkflowId(this.request.holdId);
    await this.client.workflow.start(holdWorkflow, { workflowId, taskQueue: this.taskQueue, args: [start] });
  }
  view(): Promise<HoldView> {
    return read(() => this.handle.query<HoldView>(holdQuery));
  }
  settled(): Promise<HoldView> {
    return this.handle.executeUpdate<HoldView, []>(awaitHoldUpdate, { args: [] });
  }
  change(input: Partial<ChangeHold>): Promise<HoldCommandResult> {
    return this.sendUpdate(changeHoldUpdate, input);
  }
  release(input: { commandId?: string } = {}): Promise<HoldCommandResult> {
    return this.sendUpdate(releaseHoldUpdate, { reason: null, ...input });
  }
  /** Without its answer, which a person would wait for in real time. */
  async startRelease(): Promise<void> {
    const args = [{ commandId: randomUUID(), by: 'lee', reason: null }] as [object];
    await this.handle.startUpdate<HoldCommandResult, [object]>(releaseHoldUpdate, {
      args,
      waitForStage: 'ACCEPTED',
    });
  }
  resolve(input: { reason: string }): Promise<HoldCommandResult> {
    return this.sendUpdate(resolveHoldUpdate, input);
  }
  private sendUpdate(name: string, input: object): Promise<HoldCommandResult> {
    const args = [{ commandId: randomUUID(), by: 'lee', ...input }] as [object];
    return this.handle.executeUpdate<HoldCommandResult, [object]>(name, { args });
  }
}

/** A worker of the run's bundle over fake activities, and one for the scans, on task queues of their own. */
export async function holdWorker(env: Environment, platform: FakePlatform = new FakePlatform()) {
  const taskQueue = `holds-${randomUUID()}`;
  const shared = {
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    shutdownGraceMs: 1_000,
    ...(env.dataConverter !== undefined && { dataConverter: env.dataConverter }),
  };
  const { schedules, cars } = platform;
  const worker = await createWorker({
    ...shared,
    taskQueue,
    bundle: workflowBundle(),
    activities: platform.activities(),
  });
  const scanner = await createScanWorker({
    ...shared,
    taskQueue: scanQueueOf(taskQueue),
    perSecond: 1_000,
    activities: schedules.scans(cars),
  });
  const made: TestHold[] = [];
  return {
    platform,
    hold(request: HoldRequest): TestHold {
      const hold = new TestHold(env.client, taskQueue, request);
      made.push(hold);
      return hold;
    },
    async whileRunning<T>(play: () => Promise<T>): Promise<T> {
      try {
        return await worker.runUntil(() =>
          scanner.runUntil(async () => {
            try {
              return await play();
            } finally {
              for (const { handle } of made) await endRun(handle);
            }
          }),
        );
      } finally {
        await releaseLostTimeLocks(env);
      }
    },
  };
}
