import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { holdWorkflow } from '../../contract/hold.js';
import { bookingWorkflow, moveSignal, reservationWorkflow } from '../../contract/names.js';
import { engineCode } from '../connection/unavailable.js';
import { ifFound, inTime } from './calls.js';
import { listRuns } from './listed-runs.js';
import { openCondition } from './open-status.js';
import { signalIfOpen } from './signal-if-open.js';
import { overriddenBuild, overrideVersion } from './version-override.js';

const { RoutingConfigUpdateState: routing, WorkerDeploymentVersionStatus: statuses } =
  proto.temporal.api.enums.v1;
const withinMs = 30_000;
const changeWithinMs = 60_000;
const pollEveryMs = 200;
/** Workers that have just started have not polled every queue yet. */
const notPolledYet = new Set(['NOT_FOUND', 'FAILED_PRECONDITION']);

/** One version of the workers, as the server knows it. */
interface KnownVersion {
  buildId: string;
  /** `current` gets new runs, `ramping` a part of them; `draining` has open runs, `drained` none, `inactive` never had one. */
  status: 'current' | 'ramping' | 'draining' | 'drained' | 'inactive' | 'unknown';
}

/** A version with the runs that it keeps. */
export interface ReleaseVersion extends KnownVersion {
  /** Open runs that are pinned to it. */
  open: number;
  /** Of these, bookings: a lost one waits for a person, and does not move by itself. */
  openBookings: number;
}

/** What decides which version of the workers gets new runs, for one deployment of a namespace. */
export class Releases {
  constructor(
    private readonly client: Client,
    readonly deploymentName: string,
  ) {}

  /** Every version that the server remembers, the newest first. @throws the service's error; NOT_FOUND: no worker has had a version */
  async versions(): Promise<ReleaseVersion[]> {
    return Promise.all(
      (await this.summaries()).map(async (version) => {
        const [open, openBookings] = await Promise.all([
          this.countOpen(version.buildId),
          this.countOpen(version.buildId, `AND WorkflowType = '${bookingWorkflow}'`),
        ]);
        return { ...version, open, openBookings };
      }),
    );
  }

  /** As `versions`, without their runs; empty: no worker has had a version. @throws the service's error */
  async known(): Promise<KnownVersion[]> {
    return (await ifFound(this.summaries())) ?? [];
  }

  /**
   * New runs start on this version from now on, and open ones move to it where they continue as new. Waits a minute for workers
   * of that version to poll. All runs: a version that was given a part of them gets none any more.
   * @param buildId null: workers without a version
   * @param percentage of the runs, while the current version gets the others; absent: all
   * @param missingQueues the version may lack task queues of the current one
   * @returns whether every task queue has learned it within another minute
   * @throws the service's error, such as FAILED_PRECONDITION where no worker of that version polls
   */
  async promote(
    buildId: string | null,
    { percentage, missingQueues = false }: { percentage?: number | undefined; missingQueues?: boolean } = {},
  ): Promise<boolean> {
    const { deploymentName } = this;
    const version = {
      deploymentName,
      buildId: buildId ?? '',
      identity: 'handover release',
      ignoreMissingTaskQueues: missingQueues,
    };
    await this.oncePolled((service, namespace) =>
      percentage === undefined
        ? service.setWorkerDeploymentCurrentVersion({ ...version, namespace })
        : service.setWorkerDeploymentRampingVersion({ ...version, namespace, percentage }),
    );
    if (percentage === undefined) await this.endRamp(version);
    for (const giveUpAt = Date.now() + changeWithinMs; await this.isBeingRouted(); await sleep(pollEveryMs)) {
      if (Date.now() > giveUpAt) return false;
    }
    return true;
  }

  /**
   * Wakes every open reservation and hold that is pinned to another version than `buildId`, so that it moves at once. An override
   * of its version is removed first: it would stay where it is. One that `force` gave to `buildId` a moment ago has moved, and keeps its override.
   * @param buildId null: workers without a version, so those of every version are woken
   * @param perSecond at most so many a second
   * @returns how many were woken
   * @throws the service's error
   */
  async wakeOthers(buildId: string | null, perSecond: number): Promise<number> {
    const types = [reservationWorkflow, holdWorkflow].map((type) => `'${type}'`).join(', ');
    const query = `WorkflowType IN (${types}) AND ${this.onOthers(buildId)}`;
    return this.eachOpen(query, perSecond, async (workflowId) => {
      // visibility lags: it may still list the run under the version that it has left
      if (buildId !== null && (await overriddenBuild(this.client, workflowId)) === buildId) return false;
      await overrideVersion(this.client, workflowId, null);
      await signalIfOpen(this.client, workflowId, moveSignal);
      return true;
    });
  }

  /**
   * Has workers of `buildId` continue open runs of other versions whose tasks fail there: such a run cannot move by itself. The
   * override of its version remains, also over continue-as-new, until `wakeOthers` for another version.
   * @param query visibility query of the runs; absent: those that the server reports to fail (`TemporalReportedProblems`)
   * @returns how many were moved
   * @throws the service's error: INVALID_ARGUMENT where it does not report them, FAILED_PRECONDITION where no worker of `buildId` polls
   */
  async force(
    buildId: string,
    {
      perSecond,
      query = 'TemporalReportedProblems IS NOT NULL',
    }: { perSecond: number; query?: string | undefined },
  ): Promise<number> {
    const version = { deploymentName: this.deploymentName, buildId };
    return this.eachOpen(`${this.onOthers(buildId)} AND (${query})`, perSecond, async (workflowId) => {
      await overrideVersion(this.client, workflowId, version);
      return true;
    });
  }

  /** Condition of visibility. */
  private onOthers(buildId: string | null): string {
    const onAny = `TemporalWorkerDeployment = '${this.deploymentName}'`;
    return buildId === null
      ? onAny
      : `${onAny} AND TemporalWorkerDeploymentVersion != '${this.nameOf(buildId)}'`;
  }

  private async eachOpen(
    query: string,
    perSecond: number,
    /** @returns false: this one does not count */
    act: (workflowId: string) => Promise<boolean>,
  ): Promise<number> {
    let count = 0;
    let nextAt = Date.now();
    const open = `${await openCondition(this.client)} AND ${query}`;
    for await (const { workflowId } of listRuns(this.client, open)) {
      await sleep(Math.max(nextAt - Date.now(), 0));
      nextAt = Math.max(nextAt, Date.now()) + 1_000 / perSecond;
      if (await act(workflowId)) count += 1;
    }
    return count;
  }

  private async oncePolled(act: Call<unknown>): Promise<void> {
    for (const giveUpAt = Date.now() + changeWithinMs; ; await sleep(pollEveryMs)) {
      try {
        await this.call(act);
        return;
      } catch (error) {
        if (!notPolledYet.has(engineCode(error) ?? '') || Date.now() > giveUpAt) throw error;
      }
    }
  }

  /** The server leaves the ramp of another version as it is, and a promotion of the current version changes nothing. */
  private async endRamp(version: { deploymentName: string; identity: string }): Promise<void> {
    const { routingConfig } = (await this.describe()) ?? {};
    const isRamping =
      routingConfig?.rampingDeploymentVersion != null || (routingConfig?.rampingVersionPercentage ?? 0) > 0;
    if (!isRamping) return;
    await this.call((service, namespace) =>
      service.setWorkerDeploymentRampingVersion({ ...version, namespace, buildId: '', percentage: 0 }),
    );
  }

  private async isBeingRouted(): Promise<boolean> {
    return (
      (await this.describe())?.routingConfigUpdateState === routing.ROUTING_CONFIG_UPDATE_STATE_IN_PROGRESS
    );
  }

  /** The newest first. */
  private async summaries(): Promise<KnownVersion[]> {
    const summaries = (await this.describe())?.versionSummaries ?? [];
    return [...summaries]
      .sort((a, b) => seconds(b.createTime) - seconds(a.createTime))
      .map(({ deploymentVersion, status }) => ({
        buildId: deploymentVersion?.buildId ?? '',
        status: nameOf(status),
      }));
  }

  private async describe() {
    const { deploymentName } = this;
    const { workerDeploymentInfo } = await this.call((service, namespace) =>
      service.describeWorkerDeployment({ namespace, deploymentName }),
    );
    return workerDeploymentInfo;
  }

  private async countOpen(buildId: string, of = ''): Promise<number> {
    const isOpen = await openCondition(this.client);
    const query = `${isOpen} AND TemporalWorkerDeploymentVersion = '${this.nameOf(buildId)}' ${of}`;
    const { count } = await inTime(this.client, withinMs, () => this.client.workflow.count(query));
    return count;
  }

  /** As visibility has it. */
  private nameOf(buildId: string): string {
    return `${this.deploymentName}:${buildId}`;
  }

  private call<T>(act: Call<T>): Promise<T> {
    const { workflowService, options } = this.client;
    return inTime(this.client, withinMs, () => act(workflowService, options.namespace));
  }
}

type Call<T> = (service: Client['workflowService'], namespace: string) => Promise<T>;

function seconds(time: { seconds?: unknown } | null | undefined): number {
  return Number(time?.seconds ?? 0);
}

const names: Readonly<Record<number, KnownVersion['status']>> = {
  [statuses.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'current',
  [statuses.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'ramping',
  [statuses.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'draining',
  [statuses.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'drained',
  [statuses.WORKER_DEPLOYMENT_VERSION_STATUS_INACTIVE]: 'inactive',
};

function nameOf(status: number | null | undefined): KnownVersion['status'] {
  return names[status ?? 0] ?? 'unknown';
}
