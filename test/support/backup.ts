import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import proto from '@temporalio/proto';
import type { TemporalClient } from '../../src/temporal/client/create-client.js';
import { keyIdOf } from '../../src/temporal/codec.js';
import { decoded, type Place, payloadsIn } from './intruder.js';

const run = promisify(execFile);
const { History } = proto.temporal.api.history.v1;

interface BackupRow {
  place: string;
  /** Every column, binary ones as their bytes. */
  text: string;
  binaries: Buffer[];
}

/** A backup of the database, made now. @param program path of `pg_dump` */
export async function backupOf(url: string, program = 'pg_dump'): Promise<string> {
  const { stdout } = await run(program, ['--data-only', url], { maxBuffer: 2 ** 28 });
  return stdout;
}

/** A backup with its binary columns as `read` gives them. */
export const withBinaries = (backup: string, read: (bytes: Buffer) => string): string =>
  backup.replaceAll(/\\\\x([0-9a-f]*)/g, (_, hex: string) => read(Buffer.from(hex, 'hex')));

/** Each row of a backup of `database`. */
export function rowsOfBackup(backup: string, database: string): BackupRow[] {
  let table = '';
  const rows: BackupRow[] = [];
  for (const line of backup.split('\n')) {
    if (line === '\\.') table = '';
    else if (table !== '') rows.push(toRow(`backup of ${database}: ${table}`, line));
    else table = /^COPY public\.(\S+) /.exec(line)?.[1] ?? '';
  }
  return rows;
}

function toRow(place: string, line: string): BackupRow {
  const binaries: Buffer[] = [];
  const text = withBinaries(line, (bytes) => {
    binaries.push(bytes);
    return bytes.toString('latin1');
  });
  return { place, text, binaries };
}

/** The payloads in the events of a backup of Temporal's database, as the codec decrypts them now; each place names the key. */
export async function historiesInBackup(
  rows: BackupRow[],
  temporal: Pick<TemporalClient, 'dataConverter'>,
): Promise<Place[]> {
  const events = rows
    .filter(({ place }) => place.endsWith(': history_node'))
    // before its events a node has the ids of its tree and branch
    .map(({ place, binaries }) => ({ place, history: History.decode(binaries.at(-1) ?? Buffer.of()) }));
  return Promise.all(
    events.flatMap(({ place, history }) =>
      payloadsIn(history).map(async (payload) => ({
        place: `${place} under ${keyIdOf(payload)}`,
        text: await decoded(payload, temporal),
      })),
    ),
  );
}
