import type { Logger } from 'pino';
import type { Instant } from '../../platform/model.js';
import type { WireProfile } from '../../platform/profile.js';
import type { Dispatcher } from '../callbacks/dispatcher.js';
import type { Sandbox } from '../context.js';
import { Clock } from '../core/clock.js';
import { openCallbackFaults } from '../faults/callbacks.js';
import { openCallFaults } from '../faults/calls.js';
import type { Fleet } from '../fleet/fleet.js';
import { plantFleet } from '../fleet/seed.js';
import { createSandboxMetrics } from '../metrics.js';
import { openJournal } from '../store/journal.js';
import type { CallbackRow } from '../store/outbox.js';
import { empty } from '../store/state.js';
import { openStore, type SandboxDb } from '../store/store.js';
import type { Random } from './random.js';

export interface World {
  sandbox: Sandbox;
  /**
   * Commits everything that `work` does at once, which saves a third of the statements. Actions inside it open no
   * transaction, so one that may be refused after it has written goes through `inOwnTransaction`.
   */
  inOneCommit(work: () => Promise<void>): Promise<void>;
  /** Inside `inOneCommit`: this work's transactions are undone alone when they fail. */
  inOwnTransaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * A sandbox that is not served: its own actions on a database of its own, a clock that is stopped until it is moved,
 * ids by lot, and callbacks that go to `emit` as they are emitted. What the folder held is emptied.
 */
export async function openWorld(options: {
  folder: string;
  profile: WireProfile;
  logger: Logger;
  fleet: Fleet;
  beginsAt: Instant;
  ids: Random;
  emit(callbacks: readonly CallbackRow[]): void;
  /** Whether the channel will leave unacknowledged what is emitted now. */
  isSilent(): boolean;
}): Promise<World> {
  const { folder, profile, logger, fleet, beginsAt, ids, emit, isSilent } = options;
  const { db, close } = await openStore({ folder });
  try {
    await db.transaction(async (tx) => {
      await empty(tx);
      await plantFleet(tx, fleet);
    });
  } catch (error) {
    await close();
    throw error;
  }
  const dispatcher: Dispatcher = {
    hasTarget: isSilent, // one that answers at once leaves nothing to wait for (G36)
    enqueue: emit,
    setTarget() {},
    retry() {},
    send: async () => null,
    untilDelivered: async () => {},
    forget: async () => {},
    close: async () => {},
  };
  const sandbox: Sandbox = {
    db,
    profile,
    clock: new Clock({ offsetMs: 0, frozenAt: beginsAt }),
    journal: openJournal(db, logger),
    dispatcher,
    agenda: { note() {}, wake: async () => {}, close: async () => {} },
    faults: { calls: openCallFaults(), callbacks: openCallbackFaults() },
    newId: () => ids.uuid(),
    metrics: createSandboxMetrics(),
    logger,
    publicUrl: () => 'http://127.0.0.1:9090',
  };
  let outer: SandboxDb = db;

  async function useDatabase<T>(other: SandboxDb, work: () => Promise<T>): Promise<T> {
    const before = sandbox.db;
    sandbox.db = other;
    try {
      return await work();
    } finally {
      sandbox.db = before;
    }
  }
  return {
    sandbox,
    inOneCommit: (work) =>
      db.transaction((tx) => {
        outer = tx;
        return useDatabase(withoutTransactions(tx), work);
      }),
    inOwnTransaction: (work) => useDatabase(outer, work),
    close,
  };
}

function withoutTransactions(tx: SandboxDb): SandboxDb {
  const transaction = (work: (inner: SandboxDb) => Promise<unknown>) => work(tx);
  return Object.assign(Object.create(tx), { transaction });
}
