import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { recordFound } from '../../api/erasures/record-found.js';
import { createAudit } from '../../store/audit.js';
import { createCertificates } from '../../store/erasure/certificates.js';
import { type Preview, previewErasure } from '../../store/erasure/preview.js';
import { mostFound } from '../../store/erasure/too-many-found.js';
import type { HandoverDatabase } from '../../store/handover.js';
import { readItems } from '../../store/page.js';
import { openBlobStore } from '../../store/photos/store.js';
import { createPersonHashes } from '../../store/sealing/person-hashes.js';
import { createSealer } from '../../store/sealing/sealer.js';
import type { Erasure } from '../../temporal/client/erasure/types.js';
import { connectClusterTemporal, requireCluster } from '../parts/beside-cluster.js';
import { openDatabase } from '../parts/database.js';
import { eraserOf } from '../parts/erasure.js';
import { clusterSetting, type Setting } from '../startup/setting.js';
import { Stack } from '../startup/stack.js';
import { printLine, requireValue } from '../startup/until-stopped.js';

const usage =
  'handover erase --by <who> (--reservation <id> … | --booking <command id> … | --driver <name, phone or licence, - reads it from standard input>) [--dry-run] [--json], or --certificates [--json]';
const pageSize = 500;

interface Order {
  by: string;
  reservations: number[];
  /** Command ids of bookings that became no reservation. */
  bookings: string[];
  driver: string | undefined;
  isDryRun: boolean;
}

/**
 * `handover erase`: erases personal data of closed reservations of a cluster, beside its running parts, and prints the certificate.
 * Exit code 1: a reservation was refused, or a search found more than one erasure erases.
 * @throws Error for arguments that cannot be read, settings that are missing, and what Temporal, the photo store or the database throws
 */
export async function runErase(argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      by: { type: 'string' },
      reservation: { type: 'string', multiple: true, default: [] },
      booking: { type: 'string', multiple: true, default: [] },
      driver: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      certificates: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const setting = await clusterSetting(env, { receives: false });
  const url = requireCluster(setting, 'erase');
  const print = (value: object) => printLine(JSON.stringify(value, null, values.json ? undefined : 2));
  const order = values.certificates ? undefined : await readOrder(values);
  // on another machine the default is an empty folder, in which no photo would be found
  if (order?.isDryRun === false)
    requireValue(env.BLOB_URL, 'erase', 'BLOB_URL', 'where the cluster stores photos');
  const stack = new Stack(setting.log);
  try {
    const database = await openDatabase(setting, stack, { url, folder: '' });
    if (order === undefined) {
      const { list } = createCertificates(database.db);
      const certificates = readItems((from) => list({ ...from, limit: pageSize }));
      for await (const line of linesOfArray(certificates, values.json ? undefined : 2)) printLine(line);
      return;
    }
    if (order.isDryRun) return print(await preview(setting, database, order));
    const erasure = await erase(setting, stack, { database, order });
    print(erasure);
    if (erasure.refused.length > 0) process.exitCode = 1;
  } finally {
    await stack.stop();
  }
}

/** One JSON array, an item at a time: certificates are never deleted, and memory holds one page of them. */
async function* linesOfArray(
  items: AsyncIterable<object>,
  indent: number | undefined,
): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const item of items) {
    yield `${isEmpty ? '[' : ','}${JSON.stringify(item, null, indent)}`;
    isEmpty = false;
  }
  yield isEmpty ? '[]' : ']';
}

async function readOrder(given: {
  by?: string;
  reservation: string[];
  booking: string[];
  driver?: string;
  'dry-run': boolean;
}): Promise<Order> {
  const { by = '', reservation, booking, driver: text, 'dry-run': isDryRun } = given;
  if (reservation.length + booking.length > mostFound)
    throw new Error(`--reservation and --booking: one erasure erases ${mostFound} at most`);
  if (!reservation.every((id) => /^\d{1,15}$/.test(id))) throw new Error('--reservation takes a number');
  const isNameless = isDryRun && text === undefined;
  const isById = reservation.length + booking.length > 0;
  if (isById === (text !== undefined) || (by.trim() === '' && !isNameless)) throw new Error(usage);
  const driver = text === '-' ? await firstLine() : text;
  if (driver?.trim() === '')
    throw new Error('--driver takes a whole name, a telephone number or a licence number');
  return { by: by.trim(), reservations: reservation.map(Number), bookings: booking, driver, isDryRun };
}

/** Every user of a machine can read the arguments of its programs. */
async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return '';
}

async function preview(
  { config }: Setting,
  { db }: HandoverDatabase,
  { by, reservations, bookings, driver }: Order,
): Promise<Preview> {
  const { keys } = config.codec;
  const deps = { db, sealer: createSealer(keys, config.codec), persons: createPersonHashes(keys) };
  if (driver === undefined) return previewErasure(deps, { reservations, bookings });
  const found = await previewErasure(deps, { driver });
  await recordFound({ audit: createAudit(db, deps.sealer) }, by, found);
  return found;
}

async function erase(
  setting: Setting,
  stack: Stack,
  { database, order }: { database: HandoverDatabase; order: Order },
): Promise<Erasure> {
  const { codec, blobs } = setting.config;
  const temporal = await connectClusterTemporal(setting, stack, database);
  const photos = await openBlobStore(blobs, temporal.dataKeys);
  const sealer = createSealer(codec.keys, codec);
  const eraser = eraserOf(setting, { temporal, db: database.db, sealer, photos });
  const { by, reservations, bookings, driver } = order;
  if (driver === undefined) return eraser.erase({ reservations, bookings, by, cause: 'reservation' });
  const erasure = await eraser.eraseDriver(driver, by);
  await recordFound({ audit: createAudit(database.db, sealer) }, by, erasure);
  return erasure;
}
