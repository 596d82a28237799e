import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seed } from '../../src/sandbox/fleet/seed.js';
import { openStore } from '../../src/sandbox/store/store.js';
import { copyFolder } from './copy-folder.js';
import { templatesFolder } from './run-folder.js';
import { copyOnServer, type ServerDatabase } from './server-database.js';

const sources = fileURLToPath(new URL('../../src/sandbox/', import.meta.url));

/**
 * Makes a fresh folder, or `folder`, a migrated and seeded sandbox database. The first caller on this machine makes the template;
 * everybody else copies it. Two that make it at the same time do no harm: the first rename wins.
 */
export async function copyOfTemplate(folder?: string): Promise<string> {
  const home = join(templatesFolder(), 'handover-sandbox-templates');
  const template = join(home, await fingerprint());
  await mkdir(home, { recursive: true });
  if (!(await exists(template))) await makeTemplate(home, template);
  const copy = folder ?? (await mkdtemp(join(tmpdir(), 'handover-sandbox-')));
  await copyFolder(template, copy);
  return copy;
}

/** The same as a new database on the Postgres server at `url`. */
export async function copyOfServerTemplate(url: string): Promise<ServerDatabase> {
  return copyOnServer(url, `sandbox_${await fingerprint()}`, async (databaseUrl) => {
    const store = await openStore({ folder: '', databaseUrl });
    await seed(store.db, 'small');
    await store.close();
  });
}

async function makeTemplate(home: string, template: string): Promise<void> {
  const folder = await mkdtemp(join(home, 'making-'));
  const store = await openStore({ folder });
  await seed(store.db, 'small');
  await store.close();
  await rename(folder, template).catch(() => rm(folder, { recursive: true, force: true }));
}

/** Changes whenever migrations or seed change. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['store/migrations', 'fleet']) {
    for (const name of (await readdir(join(sources, folder))).sort()) {
      if (name.includes('.')) hash.update(await readFile(join(sources, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function exists(folder: string): Promise<boolean> {
  return readdir(folder).then(
    () => true,
    () => false,
  );
}
