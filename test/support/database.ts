import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { type HandoverDatabase, openHandoverDatabase } from '../../src/store/handover.js';
import { copyFolder } from './copy-folder.js';
import { builtModule } from './product.js';
import { templatesFolder } from './run-folder.js';
import { copyOnServer, createOnServer, type ServerDatabase } from './server-database.js';

/** How a database test reaches its database: open, close and open again, as a process would. */
export interface DatabaseLane {
  open(): Promise<HandoverDatabase>;
}

/**
 * Runs `tests` on the embedded database and on the server named by `HANDOVER_TEST_DATABASE_URL`, each with a
 * database of its own; without that server its lane is reported as skipped.
 */
export function onEveryDatabase(name: string, tests: (lane: DatabaseLane) => void): void {
  describe(`${name} (PGlite)`, () => {
    tests(embeddedLane());
  });
  const url = process.env.HANDOVER_TEST_DATABASE_URL;
  describe.skipIf(url === undefined)(
    `${name} (Postgres${url === undefined ? ': no HANDOVER_TEST_DATABASE_URL' : ''})`,
    () => {
      tests(serverLane(url ?? ''));
    },
  );
}

/** A migrated embedded database in a folder of its own, removed after the tests of this block. */
export function embeddedLane({ ownThread = false } = {}): DatabaseLane {
  let folder: Promise<string> | undefined;
  afterAll(async () => {
    if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
  });
  const copyOfTemplate = async () => {
    const parent = await mkdtemp(join(tmpdir(), 'handover-db-'));
    await copyOfMigratedTemplate(join(parent, 'db'));
    return parent;
  };
  return {
    open: async () => {
      folder ??= copyOfTemplate();
      const place = { folder: join(await folder, 'db'), ownThread };
      if (!ownThread) return openHandoverDatabase(place);
      // a thread runs the compiled program
      const built: typeof import('../../src/store/handover.js') = await import(
        await builtModule('src/store/handover.js')
      );
      return built.openHandoverDatabase(place);
    },
  };
}

/** Makes `folder` a migrated embedded database. */
export async function copyOfMigratedTemplate(folder: string): Promise<void> {
  await copyFolder(await migratedTemplate(), folder);
}

/** A new folder takes seconds to initialise, a copy does not: one per set of migrations, made by the first to ask. */
async function migratedTemplate(): Promise<string> {
  const template = join(templatesFolder(), `handover-db-template-${await migrationsHash()}`);
  if (await stat(template).catch(() => null)) return template;
  const mine = join(templatesFolder(), `handover-db-template-${randomUUID()}`);
  await mkdir(mine);
  await (await openHandoverDatabase({ folder: mine })).close();
  try {
    await rename(mine, template);
  } catch {
    await rm(mine, { recursive: true, force: true }); // another file's tests were first
  }
  return template;
}

async function migrationsHash(): Promise<string> {
  const folder = new URL('../../src/store/migrations/', import.meta.url);
  const hash = createHash('sha256').update(
    await readFile(new URL('../../package-lock.json', import.meta.url)),
  );
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()) {
    hash.update(await readFile(new URL(file, folder)));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * As `onEveryDatabase` in the long lane. The fast lane runs `tests` once: on the server where there is one, which is
 * faster, and on the embedded database otherwise.
 */
export function onOneDatabase(name: string, tests: (lane: DatabaseLane) => void): void {
  const url = process.env.HANDOVER_TEST_DATABASE_URL;
  if (process.env.HANDOVER_TEST_LONG === '1') onEveryDatabase(name, tests);
  else if (url === undefined) describe(`${name} (PGlite)`, () => tests(embeddedLane()));
  else describe(`${name} (Postgres)`, () => tests(serverLane(url)));
}

function serverLane(url: string): DatabaseLane {
  const own = lazily(async () =>
    copyOnServer(url, `handover_${await migrationsHash()}`, async (template) => {
      await (await openHandoverDatabase({ url: template, folder: '' })).close();
    }),
  );
  return { open: async () => openHandoverDatabase({ url: await own(), folder: '' }) };
}

/** Gives the address of a new, empty database on the server at `url`, dropped after the tests of this block. */
export function ownDatabase(url: string): () => Promise<string> {
  return lazily(() => createOnServer(url));
}

function lazily(create: () => Promise<ServerDatabase>): () => Promise<string> {
  let created: Promise<ServerDatabase> | undefined;
  afterAll(async () => (await created)?.drop());
  return async () => {
    created ??= create();
    return (await created).url;
  };
}
