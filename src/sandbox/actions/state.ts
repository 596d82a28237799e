import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import { type FleetName, plant } from '../fleet/seed.js';
import { unsent } from '../store/outbox.js';
import { beginIdsAt, empty, hasSnapshot, restoreSnapshot, storeSnapshot } from '../store/state.js';
import type { SandboxDb } from '../store/store.js';
import { readStoredClock, storeClock } from './advance.js';

type Work = Parameters<SandboxDb['transaction']>[0];

/**
 * Begins anew with a seed fleet: real time, no reservation, an empty journal, no faults, ids from their start.
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

/** Keeps everything as it is now: fleet, reservations, callbacks under way, journal and clock. */
export async function snapshot(sandbox: Sandbox, name: string): Promise<void> {
  await sandbox.dispatcher.untilDelivered();
  await sandbox.journal.flush();
  await storeClock(sandbox);
  await sandbox.db.transaction((tx) => storeSnapshot(tx, name));
}

/**
 * Makes everything as it was, the clock included; callbacks that were under way then go out again.
 * @throws `Refusal` NOT_FOUND
 */
export async function restore(sandbox: Sandbox, name: string): Promise<void> {
  await replace(sandbox, async (tx) => {
    if (!(await hasSnapshot(tx, name))) throw new Refusal('NOT_FOUND', `there is no snapshot ${name}`);
    await restoreSnapshot(tx, name);
  });
}

/** Another database under the running sandbox: deliveries of the old one are dropped, and those of the new one continue. */
async function replace(sandbox: Sandbox, work: Work): Promise<void> {
  const { db, clock, dispatcher, journal, agenda } = sandbox;
  await dispatcher.forget();
  await journal.flush();
  await db.transaction(work);
  clock.set(await readStoredClock(db));
  dispatcher.enqueue(await unsent(db));
  await agenda.wake();
}
