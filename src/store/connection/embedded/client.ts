import type { MessagePort } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';

/** What Drizzle asks of PGlite. */
export interface Queried {
  query: PGlite['query'];
  /** Commits where `work` resolves, else rolls back. */
  transaction<R>(work: (tx: Pick<PGlite, 'query'>) => Promise<R>): Promise<R>;
  /** Commits all of them, or none, without another message. @returns the rows of the last one */
  together<Row>(statements: readonly Statement[]): Promise<Row[]>;
}

export interface Statement {
  text: string;
  params: readonly unknown[];
}

/** An open embedded database, in this thread or in one of its own. It has one connection. */
export interface EmbeddedClient extends Queried {
  /** Before the statements and transactions that wait already; one of those has its turn after each. */
  urgently: Queried;
  /** Resolves when it has ended by itself; its statements fail from then on. */
  ended: Promise<void>;
  /** After everything that waits. */
  close(): Promise<void>;
  /** With a thread of its own: a port for another thread, by which that one connects (`connect`). */
  share?(): MessagePort;
  /** With a thread of its own: from now on one whose statement takes too long is ended. */
  watch?(): void;
}

export interface EmbeddedOptions {
  folder: string;
  /** Channels whose notifications are passed on. */
  channels: readonly string[];
}

export type OnNotification = (channel: string, payload: string) => void;
