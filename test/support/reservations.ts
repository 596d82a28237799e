import { randomUUID } from 'node:crypto';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { ApplicationFailure, DataConverter } from '@temporalio/common';
import { TimeSkippingWorkflowClient } from '@temporalio/testing';
import type { NativeConnection } from '@temporalio/worker';
import {
  type BookingResult,
  type BookingStart,
  type ResolveBookingInput,
  resolveBookingUpdate,
} from '../../src/contract/booking.js';
import {
  type CarWriteResult,
  type CarWriteStart,
  carWriteWorkflow,
  carWriteWorkflowId,
} from '../../src/contract/car-write.js';
import {
  bookingWorkflow,
  bookingWorkflowId,
  reservationWorkflow,
  reservationWorkflowId,
  scanQueueOf,
} from '../../src/contract/names.js';
import {
  type ReconciliationResult,
  type ReconciliationStart,
  reconciliationId,
  reconciliationWorkflow,
} from '../../src/contract/reconciliation.js';
import {
  type BookedNews,
  bookedSignal,
  type CommandResult,
  type EventBatch,
  eventsSignal,
  type ReservationStart,
  startOptions,
  viewQuery,
} from '../../src/contract/reservation.js';
import type { HoldRequest } from '../../src/domain/hold/index.js';
import type {
  Action,
  Booking,
  CommandBody,
  Policy,
  ReservationEvent,
  ReservationView,
} from '../../src/domain/reservation/index.js';
import { createScanWorker } from '../../src/temporal/worker/worker.js';
import type { FakePlatform } from './fake-platform.js';
import { TestHold } from './holds.js';
import { read } from './read.js';
import { policy } from './reservation-story.js';
import { endRun, releaseLostTimeLocks } from './skipped-time.js';
import { createTestWorker } from './test-worker.js';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export { policy };

const photo = { hash: 'ab'.repeat(32), type: 'image/png', size: 68 };

export const bodies: Record<Action, CommandBody> = {
  'dispatch.staff': { staffName: 'A Person', staffPhone: '01000000002' },
  'dispatch.start': {},
  'dispatch.parkingImage': { photo },
  'dispatch.carImage': { photo },
  'dispatch.complete': { parkingMemo: 'B2, pillar 14', parkingLotType: 1 },
  'recall.staff': { staffName: 'A Person', staffPhone: '01000000002' },
  'recall.carImage': { photo },
  'recall.complete': {},
};

/** Lets a test send one action without those before it (L27). */
export const skippingEarlierSteps = { override: { reason: 'done on the web site' } };

/** `direct`: its start states that its workers accept rows directly, as the relay's does by default. */
export type TestStart = Partial<Pick<ReservationStart, 'policy' | 'direct'>>;

/** Handle on one reservation under test: events in, actions in, the view out. */
export class TestReservation {
  private events = 0;
  /** What the relay would send with the next events. */
  policy: Policy;
  private readonly direct: boolean;

  constructor(
    private readonly client: Client,
    private readonly now: () => Promise<number>,
    readonly taskQueue: string,
    readonly id: number,
    start: TestStart = {},
  ) {
    this.policy = start.policy ?? policy;
    this.direct = start.direct ?? true;
  }

  get handle() {
    return this.client.workflow.getHandle(reservationWorkflowId(this.id));
  }

  /** A callback's content; it is received when it is delivered, unless `content` has another time. */
  event(partial: Partial<ReservationEvent>): ReservationEvent {
    this.events += 1;
    const identity = `event-${this.id}-${this.events}`;
    return {
      eventId: identity,
      inboxId: this.id * 1_000 + this.events,
      channel: 'update',
      receivedAt: 0,
      contentHash: identity,
      ...partial,
    };
  }

  /** Signals as the relay does. */
  async deliver(...events: ReservationEvent[]): Promise<void> {
    const start: ReservationStart = { reservationId: this.id, policy: this.policy, direct: this.direct };
    const now = await this.now();
    const batch: EventBatch = {
      events: events.map((event) => ({ ...event, receivedAt: event.receivedAt || now })),
      policy: this.policy,
    };
    await this.betweenRuns(() =>
      this.client.workflow.signalWithStart(reservationWorkflow, {
        ...startOptions(start, this.taskQueue),
        signal: eventsSignal,
        signalArgs: [batch],
      }),
    );
  }

  /** Notifies it of its booking as a booking's workflow does (F36). */
  async notifyOfBooking(booking: Booking): Promise<void> {
    const start: ReservationStart = { reservationId: this.id, policy: this.policy, direct: this.direct };
    const news: BookedNews = { booking, policy: this.policy };
    await this.client.workflow.signalWithStart(reservationWorkflow, {
      ...startOptions(start, this.taskQueue),
      signal: bookedSignal,
      signalArgs: [news],
    });
  }

  sendAction(action: Action, options: ActionOptions = {}): Promise<CommandResult> {
    const commandId = options.commandId ?? randomUUID();
    return this.betweenRuns(() =>
      this.handle.executeUpdate<CommandResult, [unknown]>(action, {
        updateId: options.updateId ?? commandId,
        args: [
          {
            commandId,
            action,
            body: options.body ?? bodies[action],
            by: 'staff-1',
            ...(options.override !== undefined && { override: options.override }),
          },
        ],
      }),
    );
  }

  /**
   * The time-skipping server refuses what meets the moment in which a run continues as new, in one of two ways: it is sent
   * again. What a real server refuses fails the test.
   */
  private async betweenRuns<T>(send: () => Promise<T>): Promise<T> {
    if (!(this.client.workflow instanceof TimeSkippingWorkflowClient)) return send();
    return send().catch((error) => {
      const isInBetween =
        error instanceof WorkflowNotFoundError || error instanceof WorkflowExecutionAlreadyStartedError;
      if (!isInBetween) throw error;
      return send();
    });
  }

  /** Of any car, on the same task queue. */
  hold(request: HoldRequest): TestHold {
    return new TestHold(this.client, this.taskQueue, request);
  }

  /** Books as the status API does. */
  book(start: BookingStart): Promise<BookingResult> {
    return this.client.workflow.execute<(start: BookingStart) => Promise<BookingResult>>(bookingWorkflow, {
      workflowId: bookingWorkflowId(start.commandId),
      taskQueue: this.taskQueue,
      args: [start],
    });
  }

  /** Writes on a car as the status API does. */
  writeOnCar(start: CarWriteStart): Promise<CarWriteResult> {
    const options = {
      workflowId: carWriteWorkflowId(start.commandId),
      taskQueue: this.taskQueue,
      args: [start] as [CarWriteStart],
    };
    return this.client.workflow.execute<(start: CarWriteStart) => Promise<CarWriteResult>>(
      carWriteWorkflow,
      options,
    );
  }

  /** Reconciles as the Temporal Schedule does. */
  reconcile(start: ReconciliationStart): Promise<ReconciliationResult> {
    return this.client.workflow.execute<(start: ReconciliationStart) => Promise<ReconciliationResult>>(
      reconciliationWorkflow,
      { workflowId: reconciliationId, taskQueue: this.taskQueue, args: [start] },
    );
  }

  /** As a manager does at the status API. */
  settleBooking(commandId: string, input: ResolveBookingInput): Promise<unknown> {
    const handle = this.client.workflow.getHandle(bookingWorkflowId(commandId));
    const options = { updateId: input.settlementId, args: [input] as [ResolveBookingInput] };
    return handle.executeUpdate<unknown, [ResolveBookingInput]>(resolveBookingUpdate, options);
  }

  view(): Promise<ReservationView> {
    return read(() => this.handle.query<ReservationView>(viewQuery));
  }
}

interface ActionOptions {
  commandId?: string;
  updateId?: string;
  body?: CommandBody;
  override?: { reason: string };
}

export interface ReservationWorker {
  reservation(start?: TestStart): TestReservation;
  /**
   * Runs the worker while `play` runs, and ends the reservations that are still open: one without a worker would
   * hold the time of a time-skipping server.
   */
  whileRunning<T>(play: () => Promise<T>): Promise<T>;
}

/** A worker of the run's bundle over fake activities, on a task queue of its own. */
export async function reservationWorker(
  env: {
    nativeConnection: NativeConnection;
    client: Client;
    namespace?: string | undefined;
    currentTimeMs?: () => Promise<number>;
    /** The client's. */
    dataConverter?: DataConverter;
  },
  platform: FakePlatform,
): Promise<ReservationWorker> {
  const taskQueue = `reservations-${randomUUID()}`;
  platform.queue = taskQueue;
  const worker = await createTestWorker({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    taskQueue,
    activities: platform.activities(),
    ...(env.dataConverter !== undefined && { dataConverter: env.dataConverter }),
  });
  const scans = platform.scanActivities();
  const scanner =
    scans &&
    (await createScanWorker({
      connection: env.nativeConnection,
      namespace: env.namespace ?? 'default',
      taskQueue: scanQueueOf(taskQueue),
      perSecond: 1_000,
      activities: scans,
      ...(env.dataConverter !== undefined && { dataConverter: env.dataConverter }),
      shutdownGraceMs: 1_000,
    }));
  const made: TestReservation[] = [];
  const now = () => env.currentTimeMs?.() ?? Promise.resolve(Date.now());
  const base = Math.floor(Math.random() * 1_000_000) * 1_000;
  return {
    reservation(start = {}) {
      const rental = new TestReservation(env.client, now, taskQueue, base + made.length + 1, start);
      made.push(rental);
      return rental;
    },
    async whileRunning(play) {
      try {
        return await worker.runUntil(async () => {
          try {
            return await (scanner === undefined ? play() : scanner.runUntil(play));
          } finally {
            for (const { handle } of made) await endRun(handle);
          }
        });
      } finally {
        await releaseLostTimeLocks(env);
      }
    },
  };
}

export const company = { id: 1, name: 'A Rental Company' };
export const car = { id: 12, number: '12가3456' };

/** What a refused update says (`Refusal`); fails where the update was taken. */
export async function refusalOf(update: Promise<unknown>): Promise<unknown> {
  const error = await update.then(
    () => {
      throw new Error('the action was not refused');
    },
    (failure: unknown) => failure,
  );
  if (!(error instanceof WorkflowUpdateFailedError)) throw error;
  return (error.cause as ApplicationFailure).details?.[0];
}
