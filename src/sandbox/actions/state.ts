import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import type { FleetName } from '../fleet/fleets.js';
import { plant } from '../fleet/seed.js';
import { readUnsent } from '../store/outbox.js';
import { beginIdsAt, empty, hasSnapshot, restoreSnapshot, storeSnapshot } from '../store/state.js';
import type { SandboxDb } from '../store/store.js';
import { readStoredClock, storeClock } from './advance.js';

type Work = Parameters<SandboxDb['transaction']>[0];

/**
 * Resets everything to a seed fleet: real time, no reservation, an empty journal, no faults, ids from their start.
 * @param firstReservationId where the ids of reservations begin instead: for a Handover that knows the former ones
 */
export async function reset(
  sandbox: Sandbox,
  { fleet, firstReservationId }: { fleet: FleetName; firstReservationId?: number | undefined },
): Promise<void> {
  sandbox.faults.calls.set([], 0);
  sandbox.faults.callbacks.set([], 0);
  await replace(sandbox, async (tx) => {
    await empty(tx);
    await plant(tx, fleet);
    if (firstReservationId !== undefined) await beginIdsAt(tx, firstReservationId);
  });
}

/** Stores a copy of everything: fleet, reservations, unsent callbacks, journal and clock. */
export async function snapshot(sandbox: Sandbox, name: string): Promise<void> {
  await sandbox.dispatcher.untilDelivered();
  await sandbox.journal.flush();
  await storeClock(sandbox);
  await sandbox.db.transaction((tx) => storeSnapshot(tx, name));
}

/**
 * Restores the copy, the clock included, and sends the callbacks that were unsent in it.
 * @throws `Refusal` NOT_FOUND
 */
export async function restore(sandbox: Sandbox, name: string): Promise<void> {
  await replace(sandbox, async (tx) => {
    if (!(await hasSnapshot(tx, name))) throw new Refusal('NOT_FOUND', `there is no snapshot ${name}`);
    await restoreSnapshot(tx, name);
  });
}

/** Replaces the contents of the database: drops deliveries of the old contents and continues those of the new. */
async function replace(sandbox: Sandbox, work: Work): Promise<void> {
  const { db, clock, dispatcher, journal, agenda } = sandbox;
  await dispatcher.forget();
  await journal.flush();
  await db.transaction(work);
  clock.set(await readStoredClock(db));
  dispatcher.enqueue(await readUnsent(db));
  await agenda.wake();
}
