import type { MessagePort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import type { EmbeddedClient, Queried } from '../client.js';
import { type DatabaseCalls, type OwnerCalls, over, type Statement } from './calls.js';

type Transaction = Parameters<Parameters<Queried['transaction']>[0]>[0];

interface Open {
  tx: Transaction;
  commit(): void;
  rollBack(): void;
  ended: Promise<void>;
}

/** Serves a database that opens to the other end of `port`. Its open transactions are rolled back where that thread ends. */
export function serve(port: MessagePort, opening: Promise<EmbeddedClient>): OwnerCalls {
  const open = new Map<number, Open>();
  let begun = 0;
  let isClosed = false;
  const take = (transaction: number): Open => {
    const found = open.get(transaction);
    if (found === undefined) throw new Error('The transaction has ended.');
    return found;
  };
  const end = async (transaction: number, how: 'commit' | 'rollBack'): Promise<void> => {
    const found = take(transaction);
    open.delete(transaction);
    found[how]();
    await found.ended;
  };
  const calls: DatabaseCalls = {
    async opened() {
      await opening;
    },
    query: async (statement, isUrgent) => run(queriedOf(await opening, isUrgent), statement),
    async begin(isUrgent) {
      const transaction = await begin(queriedOf(await opening, isUrgent));
      // its thread ended while it waited for its turn
      if (isClosed) transaction.rollBack();
      begun += 1;
      open.set(begun, transaction);
      return begun;
    },
    queryIn: async (transaction, statement) => run(take(transaction).tx, statement),
    commit: (transaction) => end(transaction, 'commit'),
    rollBack: (transaction) => end(transaction, 'rollBack'),
    close: async () => (await opening).close(),
  };
  port.on('close', () => {
    isClosed = true;
    for (const { rollBack } of open.values()) rollBack();
    open.clear();
  });
  return createBirpc<OwnerCalls, DatabaseCalls>(calls, {
    ...over(port),
    eventNames: ['notified', 'ended'],
  });
}

const queriedOf = (client: EmbeddedClient, isUrgent: boolean): Queried =>
  isUrgent ? client.urgently : client;

const run = ({ query }: Transaction, { text, params, rowMode }: Statement) =>
  query(text, params && [...params], rowMode && { rowMode });

class RolledBack extends Error {}

/** Resolves when the transaction has begun; it stays open until its commit or rollback. */
function begin({ transaction }: Queried): Promise<Open> {
  return new Promise((resolve, reject) => {
    const work = (tx: Transaction) =>
      new Promise<void>((commit, fail) => {
        resolve({ tx, commit, rollBack: () => fail(new RolledBack()), ended });
      });
    const ended = transaction(work).catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    ended.catch(reject);
  });
}
