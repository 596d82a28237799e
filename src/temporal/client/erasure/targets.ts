import type { Client } from '@temporalio/client';
import { dataKeyScope } from '../../../contract/names.js';
import { forEach } from '../../../domain/shared/for-each.js';
import { scopesOf } from '../../../store/erasure/erase-rows.js';
import { type NotErased, refuseOpen, type Target } from '../../../store/erasure/targets.js';
import { hasOpenRun, type ReadHistories, readHistories } from './histories.js';

/** Each with what Temporal has of it, by scope. */
export type ReadTarget = Target & { histories: ReadonlyMap<string, ReadHistories> };

/**
 * Reads what Temporal has of each, before anything is changed: what cannot be read yet is not erased by halves. One with an
 * open workflow is refused.
 * @param isStopping once it returns true the rest is left out
 * @throws what Temporal or the codec throws
 */
export async function readTargets(
  client: Client,
  found: readonly Target[],
  isStopping: () => boolean,
): Promise<{ targets: ReadTarget[]; refused: NotErased[] }> {
  const targets: ReadTarget[] = [];
  const refused: NotErased[] = [];
  for (const target of found) {
    if (isStopping()) break;
    const histories = await readAll(client, target);
    if (histories === 'open') refused.push(refuseOpen(target));
    else targets.push({ ...target, histories });
  }
  return { targets, refused };
}

/**
 * Whether one of its workflows has been started since it was read.
 * @param endAt when all calls have to be answered; absent: each has as long as any call of an erasure
 * @throws what the client throws
 */
export async function isOpenAgain(client: Client, target: Target, endAt?: number): Promise<boolean> {
  for (const scope of workflowsOf(target)) {
    const deadlineMs = endAt === undefined ? undefined : Math.max(endAt - Date.now(), 1);
    if (await hasOpenRun(client, scope, deadlineMs)) return true;
  }
  return false;
}

/**
 * All calls together. The embedded database does nothing else meanwhile, and ends a transaction without a statement after 2 s; callbacks
 * wait for 3.5 s.
 */
const checkWithinMs = 1_500;
const checksAtOnce = 16;

/**
 * Reservations that have been started again, as Temporal knows within the transaction of their erasure: a start writes its row later.
 * @throws what the client throws, also where the answers take too long
 */
export async function startedSince<T extends Target>(client: Client, targets: readonly T[]): Promise<Set<T>> {
  const endAt = Date.now() + checkWithinMs;
  const started = new Set<T>();
  const ofReservations = targets.filter(({ reservationId }) => reservationId !== null);
  await forEach(ofReservations, checksAtOnce, async (target) => {
    if (await isOpenAgain(client, target, endAt)) started.add(target);
  });
  return started;
}

/** Not the scopes of photos. */
const workflowsOf = (target: Target) => scopesOf(target).filter((scope) => dataKeyScope(scope) !== undefined);

async function readAll(client: Client, target: Target): Promise<Map<string, ReadHistories> | 'open'> {
  const histories = new Map<string, ReadHistories>();
  for (const scope of workflowsOf(target)) {
    const read = await readHistories(client, scope);
    if (read === 'open') return 'open';
    histories.set(scope, read);
  }
  return histories;
}
