import type { MessagePort } from 'node:worker_threads';
import type { QueryOptions } from '@electric-sql/pglite';
import { type BirpcReturn, createBirpc } from 'birpc';
import { deferred } from '../../../../domain/shared/deferred.js';
import { notOpenError } from '../../errors.js';
import type { EmbeddedClient, OnNotification, Queried, Statement } from '../client.js';
import { channelOf, type DatabaseCalls, type OwnerCalls, type Query } from './calls.js';

type Calls = BirpcReturn<DatabaseCalls, OwnerCalls>;

/** A database in another thread. */
export interface Connected extends EmbeddedClient {
  /** Resolves once it is open, then at once while its thread works. */
  ping(): Promise<void>;
}

/** Connects to the database at the other end of `port`. Where the port closes, all that waits fails. */
export function connect(port: MessagePort, onNotification: OnNotification = () => {}): Connected {
  const { promise: ended, resolve: end } = deferred();
  const own: OwnerCalls = { notified: onNotification, ended: end };
  const calls: Calls = createBirpc<DatabaseCalls, OwnerCalls>(own, channelOf(port));
  port.once('close', () => {
    calls.$close(notOpenError());
    end();
  });
  return {
    ...queriedOver(calls, false),
    urgently: queriedOver(calls, true),
    ping: () => calls.ping(),
    ended,
    close: () => unlessClosed(calls, () => calls.close()),
  };
}

function queriedOver(calls: Calls, isUrgent: boolean): Queried {
  return {
    query: ((...given: Parameters<Queried['query']>) =>
      unlessClosed(calls, () => calls.query(queryOf(...given), isUrgent))) as Queried['query'],
    async transaction(work) {
      const transaction = await unlessClosed(calls, () => calls.begin(isUrgent));
      const query = (...given: Parameters<Queried['query']>) =>
        unlessClosed(calls, () => calls.queryIn(transaction, queryOf(...given)));
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
    together: <Row>(statements: readonly Statement[]) =>
      unlessClosed(calls, () => calls.together(statements.map(posted), isUrgent)) as Promise<Row[]>,
  };
}

async function unlessClosed<R>(calls: Calls, call: () => Promise<R>): Promise<R> {
  if (calls.$closed) throw notOpenError();
  return call();
}

const queryOf = (text: string, params: unknown[] = [], { rowMode }: QueryOptions = {}): Query => ({
  ...posted({ text, params }),
  rowMode,
});

/** With its own bytes alone: a buffer is copied with all that shares its memory. */
const posted = ({ text, params }: Statement): Statement => ({
  text,
  params: params.map((value) => (value instanceof Uint8Array ? new Uint8Array(value) : value)),
});
