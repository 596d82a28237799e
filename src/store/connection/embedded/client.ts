import type { PGlite } from '@electric-sql/pglite';
import type { DatabaseLog } from '../database.js';

/** What Drizzle asks of PGlite. */
export interface Queried {
  query: PGlite['query'];
  /** Commits where `work` resolves, else rolls back. */
  transaction<R>(work: (tx: Pick<PGlite, 'query'>) => Promise<R>): Promise<R>;
}

/** An open embedded database, in this thread or in one of its own. It has one connection. */
export interface EmbeddedClient extends Queried {
  /** Before the statements and transactions that wait already. */
  urgently: Queried;
  /** Resolves when it has ended by itself; its statements fail from then on. */
  ended: Promise<void>;
  /** After everything that waits. */
  close(): Promise<void>;
}

/** What it is opened with. */
export interface EmbeddedPlace {
  folder: string;
  /** Those whose notifications arrive. */
  channels: readonly string[];
}

export type OnNotification = (channel: string, payload: string) => void;

export interface EmbeddedEvents {
  onNotification: OnNotification;
  log: DatabaseLog | undefined;
}
