import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Payload } from '@temporalio/common';
import { sql } from 'drizzle-orm';
import { photoKeyScope } from '../../src/contract/names.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { isSealed, openSealed } from '../../src/store/photos/photo-seal.js';
import { KeyRing } from '../../src/store/sealing/aes-gcm.js';
import type { CodecKey } from '../../src/store/sealing/codec-key.js';
import { destroyed } from '../../src/store/sealing/data-keys.js';
import type { TemporalClient } from '../../src/temporal/client/create-client.js';
import { isEncrypted } from '../../src/temporal/codec.js';

export interface Place {
  place: string;
  text: string;
}

/** Everything that is stored, as a person can read it who has every copy of it and CODEC_KEYS too. */
export async function everythingReadable(
  database: HandoverDatabase,
  { temporal, keys, photos }: { temporal: TemporalClient; keys: readonly CodecKey[]; photos: StoredFile[] },
): Promise<Place[]> {
  return [
    ...(await rowsIn(database, keys)),
    ...(await photosAmong(photos, temporal)),
    ...(await historiesOf(temporal)),
  ];
}

/** Each row of each table, as a backup of the database holds it; what is sealed is opened. */
async function rowsIn({ db }: HandoverDatabase, keys: readonly CodecKey[]): Promise<Place[]> {
  const ring = new KeyRing(keys);
  const tables = rowsOf<{ name: string }>(
    await db.execute(
      sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
    ),
  );
  const places: Place[] = [];
  for (const { name } of tables) {
    const rows = rowsOf<{ row: object }>(
      await db.execute(sql`select row_to_json(t) as row from ${sql.identifier(name)} t`),
    );
    for (const { row } of rows) {
      const text = JSON.stringify(row).replaceAll(/\\\\x([0-9a-f]*)/g, (_, hex: string) =>
        JSON.stringify(readable(Buffer.from(hex, 'hex'), ring)).slice(1, -1),
      );
      places.push({ place: `table ${name}`, text });
    }
  }
  return places;
}

/** The plain text of a sealed column, wherever it was copied to; else the bytes as they are. */
export function readable(sealed: Buffer, ring: KeyRing): string {
  const [version, length = 0] = sealed;
  const rest = sealed.subarray(2 + length);
  try {
    const id = sealed.subarray(2, 2 + length).toString();
    return version === 1
      ? ring.decrypt(id, rest).toString()
      : ring.decrypt(id, rest.subarray(16), rest.subarray(0, 16)).toString();
  } catch {
    return sealed.toString('latin1');
  }
}

/** What the photo store holds, in a folder or a bucket. */
export interface StoredFile {
  path: string;
  bytes: Buffer;
}

export async function filesIn(folder: string): Promise<StoredFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    paths.map(async (path) => ({ path: path.slice(folder.length), bytes: await readFile(path) })),
  );
}

function photosAmong(files: StoredFile[], { dataKeys }: TemporalClient): Promise<Place[]> {
  return Promise.all(
    files.map(async ({ path, bytes }) => {
      const id = /reservations\/(\d+)\//.exec(path)?.[1];
      const key = id === undefined ? undefined : await dataKeys?.forReading(photoKeyScope(Number(id)));
      const opened =
        isSealed(bytes) && key !== undefined && key !== destroyed
          ? openSealed(bytes, key.key, Number(id))
          : bytes;
      return { place: `photo ${path}`, text: Buffer.from(opened).toString('latin1') };
    }),
  );
}

/** Every event of every workflow in the namespace, as it is stored, and with its payloads decoded. */
async function historiesOf({ client, target, ...temporal }: TemporalClient): Promise<Place[]> {
  const { namespace } = target;
  const { executions } = await client.workflowService.listWorkflowExecutions({ namespace });
  const places: Place[] = [];
  for (const { execution, ...info } of executions ?? []) {
    const workflowId = execution?.workflowId ?? '';
    const history = await client.workflow.getHandle(workflowId, execution?.runId ?? '').fetchHistory();
    const stored = { ...info, events: history.events };
    places.push({ place: `stored ${workflowId}`, text: JSON.stringify(stored) });
    for (const payload of payloadsIn(stored)) {
      places.push({ place: `decoded ${workflowId}`, text: await decoded(payload, temporal) });
    }
  }
  return places;
}

/** The text of a payload, as its codec decrypts it now. */
export async function decoded(
  payload: Payload,
  { dataConverter }: Pick<TemporalClient, 'dataConverter'>,
): Promise<string> {
  const [plain] = (await dataConverter.payloadCodecs?.[0]?.decode([payload])) ?? [];
  return Buffer.from(plain?.data ?? []).toString();
}

export function payloadsIn(node: unknown): Payload[] {
  if (node === null || typeof node !== 'object' || node instanceof Uint8Array) return [];
  if ('metadata' in node && isEncrypted(node as Payload)) return [node as Payload];
  return Object.values(node).flatMap(payloadsIn);
}
