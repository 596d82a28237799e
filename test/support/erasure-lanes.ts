import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { backupOf, historiesInBackup, rowsOfBackup } from './backup.js';
import type { DatabaseLane } from './database.js';
import type { HandoverParts, StartEngine } from './handover-parts.js';
import type { Place, StoredFile } from './intruder.js';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres-server.js';
import { s3Peer } from './s3-peer.js';
import { createOnServer } from './server-database.js';
import { serverOnPostgres, temporalDatabases } from './server-on-postgres.js';
import { serverBinary, withoutServer } from './versioned-server.js';

/** Where an erasure is tested: its database and its engine. */
export interface ErasureLane {
  open(): Promise<HandoverDatabase>;
  engine: Record<string, string> | StartEngine;
  /** The photos of the store that `env` names; absent: they are in the folder of the parts. */
  photos?: () => Promise<StoredFile[]>;
  env?: Record<string, string>;
  /** Backups made now and logs of what stores the data; absent: the engine is in memory. */
  copies?: (parts: HandoverParts) => Promise<Place[]>;
}

/** A dev server of its own beside the database. */
export const onDevServer = (database: DatabaseLane): ErasureLane => ({ ...database, engine: {} });

const programs = await postgresPrograms();

/** Why there is no lane of the real server on this machine, for the end of a title; empty: there is one. */
export const withoutRealServer =
  withoutServer + (programs === undefined ? ' (skipped: no programs of Postgres)' : '');

/** The real Temporal server and Handover's database, on one Postgres of their own, and photos in a bucket. */
export function onRealServer(): ErasureLane {
  let postgres: PostgresServer | undefined;
  let handover: string;
  let server: Awaited<ReturnType<typeof serverOnPostgres>>;
  let bucket: Awaited<ReturnType<typeof s3Peer>> | undefined;
  afterAll(async () => {
    await bucket?.close();
    await postgres?.remove();
  });
  return {
    env: { BLOB_URL: 's3://photos/rentals' },
    photos: async () => [...(bucket?.objects ?? [])].map(([path, { bytes }]) => ({ path, bytes })),
    async open() {
      bucket = await s3Peer();
      postgres = await startPostgres(programs ?? '');
      const { url } = await createOnServer(postgres.url);
      handover = new URL(url).pathname.slice(1);
      return openHandoverDatabase({ url, folder: '' });
    },
    async engine(dataConverter) {
      if (postgres === undefined) throw new Error('the engine of this lane needs its database first');
      server = await serverOnPostgres(serverBinary ?? '', postgres, dataConverter);
      return server;
    },
    async copies({ temporal }) {
      const { url = '', log } = postgres ?? {};
      const places: Place[] = [
        { place: 'log of Temporal', text: await server.log() },
        { place: 'log of Postgres', text: (await log?.()) ?? '' },
      ];
      for (const name of [...temporalDatabases, handover]) {
        const database = Object.assign(new URL(url ?? ''), { pathname: `/${name}` });
        const rows = rowsOfBackup(await backupOf(database.href, join(programs ?? '', 'pg_dump')), name);
        places.push(...rows, ...(await historiesInBackup(rows, temporal)));
      }
      return places;
    },
  };
}
