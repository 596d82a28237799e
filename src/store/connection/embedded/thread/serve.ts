import type { MessagePort } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { DatabaseError, notOpenError } from '../../errors.js';
import type { EmbeddedClient, Queried } from '../client.js';
import { channelOf, type DatabaseCalls, type OwnerCalls, type Query } from './calls.js';
import { IdleLimit } from './idle-limit.js';

type Transaction = Parameters<Parameters<Queried['transaction']>[0]>[0];

interface OpenTransaction {
  tx: Transaction;
  commit(): void;
  rollBack(): void;
  ended: Promise<void>;
  idle: IdleLimit;
}

/**
 * Serves a database that opens to the other end of `port`. Its open transactions are rolled back where that thread ends.
 * @param hasOthers whether other threads have a port too; until then a transaction has no time limit
 */
export function serve(
  port: MessagePort,
  opening: Promise<EmbeddedClient>,
  hasOthers: () => boolean,
): OwnerCalls {
  const transactions = new Map<number, OpenTransaction>();
  let lastNumber = 0;
  let isClosed = false;
  const transactionOf = (number: number): OpenTransaction => {
    const found = transactions.get(number);
    if (found === undefined)
      throw new DatabaseError(
        'DATABASE_SILENT',
        'the transaction had no statement for 2 s and was rolled back',
      );
    return found;
  };
  const end = async (number: number, how: 'commit' | 'rollBack'): Promise<void> => {
    const transaction = transactionOf(number);
    transactions.delete(number);
    transaction.idle.stop();
    transaction[how]();
    await transaction.ended;
  };
  const calls: DatabaseCalls = {
    async ping() {
      await opening;
    },
    query: async (query, isUrgent) => run(queriedOf(await opening, isUrgent), query),
    together: async (statements, isUrgent) => queriedOf(await opening, isUrgent).together(statements),
    async begin(isUrgent) {
      const transaction = await openTransaction(queriedOf(await opening, isUrgent));
      if (isClosed) {
        transaction.rollBack();
        throw notOpenError();
      }
      lastNumber += 1;
      const number = lastNumber;
      const idle = new IdleLimit(() => {
        if (!hasOthers()) return false;
        void end(number, 'rollBack').catch(() => {});
        return true;
      });
      transactions.set(number, { ...transaction, idle });
      return number;
    },
    queryIn: (number, query) => {
      const { tx, idle } = transactionOf(number);
      return idle.during(() => run(tx, query));
    },
    commit: (number) => end(number, 'commit'),
    rollBack: (number) => end(number, 'rollBack'),
    close: async () => (await opening).close(),
  };
  port.on('close', () => {
    isClosed = true;
    for (const number of [...transactions.keys()]) void end(number, 'rollBack').catch(() => {});
  });
  return createBirpc<OwnerCalls, DatabaseCalls>(calls, {
    ...channelOf(port),
    eventNames: ['notified', 'ended'],
  });
}

const queriedOf = (client: EmbeddedClient, isUrgent: boolean): Queried =>
  isUrgent ? client.urgently : client;

const run = ({ query }: Transaction, { text, params, rowMode }: Query) =>
  query(text, [...params], rowMode && { rowMode });

class RolledBack extends Error {}

/** Resolves when the transaction has begun; it stays open until its commit or rollback. */
function openTransaction({ transaction }: Queried): Promise<Omit<OpenTransaction, 'idle'>> {
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
