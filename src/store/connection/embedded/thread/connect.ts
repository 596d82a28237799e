import type { MessagePort } from 'node:worker_threads';
import type { QueryOptions } from '@electric-sql/pglite';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { OnNotification, Queried } from '../client.js';
import { notOpenError } from '../not-open.js';
import { type DatabaseCalls, type OwnerCalls, over, type Statement } from './calls.js';

type Calls = BirpcReturn<DatabaseCalls, OwnerCalls>;

/** A database in another thread. */
export interface Connected extends Queried {
  urgently: Queried;
  opened(): Promise<void>;
  /** Resolves when it has ended by itself. */
  ended: Promise<void>;
  /** Closes the database itself. */
  close(): Promise<void>;
}

/** Connects to the database at the other end of `port`. Where the port closes, all that waits fails. */
export function connect(port: MessagePort, onNotification: OnNotification = () => {}): Connected {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const own: OwnerCalls = { notified: onNotification, ended: end };
  const calls: Calls = createBirpc<DatabaseCalls, OwnerCalls>(own, over(port));
  port.once('close', () => {
    calls.$close(notOpenError());
    end();
  });
  return {
    ...queriedOver(calls, false),
    urgently: queriedOver(calls, true),
    opened: () => calls.opened(),
    ended,
    close: () => calls.close(),
  };
}

function queriedOver(calls: Calls, isUrgent: boolean): Queried {
  return {
    query: ((...given: Parameters<Queried['query']>) =>
      unlessClosed(calls, () => calls.query(statementOf(...given), isUrgent))) as Queried['query'],
    async transaction(work) {
      const transaction = await unlessClosed(calls, () => calls.begin(isUrgent));
      const query = (...given: Parameters<Queried['query']>) =>
        unlessClosed(calls, () => calls.queryIn(transaction, statementOf(...given)));
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await work({ query: query as Queried['query'] });
      } catch (error) {
        await calls.rollBack(transaction).catch(() => {});
        throw error;
      }
      await unlessClosed(calls, () => calls.commit(transaction));
      return result;
    },
  };
}

async function unlessClosed<R>(calls: Calls, call: () => Promise<R>): Promise<R> {
  if (calls.$closed) throw notOpenError();
  return call();
}

const statementOf = (text: string, params?: unknown[], { rowMode }: QueryOptions = {}): Statement => ({
  text,
  params,
  rowMode,
});
