import type { MessagePort } from 'node:worker_threads';
import type { Results } from '@electric-sql/pglite';
import type { ChannelOptions } from 'birpc';
import { DatabaseError } from '../../errors.js';
import type { Statement } from '../client.js';

export interface Query extends Statement {
  /** Form of each row in the answer. */
  rowMode: 'array' | 'object' | undefined;
}

/** What the thread of a database does for each thread that has a port to it. */
export interface DatabaseCalls {
  /** Answers once it is open, then at once while the thread works. */
  ping(): Promise<void>;
  query(query: Query, isUrgent: boolean): Promise<Results<unknown>>;
  together(statements: readonly Statement[], isUrgent: boolean): Promise<unknown[]>;
  /** Resolves when the transaction has begun, with its number. Where other threads have a port too, one without a call for two seconds is rolled back. */
  begin(isUrgent: boolean): Promise<number>;
  queryIn(transaction: number, query: Query): Promise<Results<unknown>>;
  commit(transaction: number): Promise<void>;
  rollBack(transaction: number): Promise<void>;
  close(): Promise<void>;
}

/** What it reports to the thread that opened it. */
export interface OwnerCalls {
  notified(channel: string, payload: string): void;
  /** It has ended by itself. */
  ended(): void;
}

interface Message {
  /** birpc's own member for the error of an answer. */
  e?: unknown;
}

interface CopiedError {
  message: string;
  code: unknown;
  severity: unknown;
  isOurs: boolean;
}

/** Messages over a port. An `Error` that is copied to another thread loses its members: they are sent in its place. */
export function channelOf(port: MessagePort): ChannelOptions & { timeout: number } {
  return {
    post: (message) => port.postMessage(message),
    on: (receive) => void port.on('message', receive),
    serialize: (message: Message) =>
      message.e === undefined ? message : { ...message, e: copied(message.e) },
    deserialize: (message: Message) =>
      message.e === undefined ? message : { ...message, e: restored(message.e as CopiedError) },
    // a statement may take long; where the thread ends or hangs, all fail
    timeout: -1,
  };
}

function copied(error: unknown): CopiedError {
  const { message, code, severity } = error as Omit<CopiedError, 'isOurs'>;
  return { message, code, severity, isOurs: error instanceof DatabaseError };
}

function restored({ message, code, severity, isOurs }: CopiedError): Error {
  if (isOurs) return new DatabaseError(code as DatabaseError['code'], message);
  return Object.assign(new Error(message), { code, severity });
}
