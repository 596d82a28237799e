import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { embeddedPostgresVersion } from '../../../app/installation.js';
import { seed } from '../../../sandbox/fleet/seed.js';
import { openStore } from '../../../sandbox/store/store.js';
import { openHandoverDatabase } from '../../../store/handover.js';
import { cacheRoot } from '../../../temporal/server/provision/cache.js';

const migrations = ['../../../store/migrations/', '../../../sandbox/store/migrations/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/**
 * Makes a fresh data folder with both databases. They take seconds to initialise and a moment to copy, so the cache
 * stores one pair for each state of the migrations and each version of the embedded Postgres.
 */
export async function freshDataFolder(env: NodeJS.ProcessEnv): Promise<string> {
  const template = join(dirname(cacheRoot(env)), 'rehearsal', await fingerprint());
  if (!(await exists(template))) await makeTemplate(template);
  const folder = await mkdtemp(join(tmpdir(), 'handover-rehearsal-'));
  try {
    await cp(template, folder, { recursive: true });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Postgres' `template1` and `template0`, from which no database is made: half of the files. */
const unused = ['base/1', 'base/4'];

/** Where two callers do this at once, the template of the first is used. */
async function makeTemplate(template: string): Promise<void> {
  const aside = `${template}.${randomUUID()}`;
  await mkdir(aside, { recursive: true });
  const handover = async () => (await openHandoverDatabase({ folder: join(aside, 'db') })).close();
  const sandbox = async () => {
    const store = await openStore({ folder: join(aside, 'sandbox-db') });
    await seed(store.db, 'small');
    await store.close();
  };
  try {
    await Promise.all([handover(), sandbox()]);
    for (const name of ['db', 'sandbox-db'])
      for (const path of unused) await rm(join(aside, name, path), { recursive: true, force: true });
    await rename(aside, template).catch(() => {});
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** What the databases of a template depend on. */
export async function fingerprint(postgres = embeddedPostgresVersion): Promise<string> {
  const hash = createHash('sha256').update(unused.join()).update(postgres);
  for (const folder of migrations) {
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.sql')).sort())
      hash.update(name).update(await readFile(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return readdir(path).then(
    () => true,
    () => false,
  );
}
