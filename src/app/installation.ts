import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json above this module, whether it is compiled or not. */
function findRoot(folder = dirname(fileURLToPath(import.meta.url))): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

const root = findRoot();

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Of Handover. */
export const version: string = manifest.version;

/** Version of the embedded Postgres: another one may not read its data folders. */
export const embeddedPostgresVersion: string = manifest.dependencies['@electric-sql/pglite'];

/** What identifies this build: its version, and a hash of the sources that it was built from. */
export function readBuildId(): string {
  const sources = join(root, 'dist', '.sources');
  return existsSync(sources) ? `${version}-${readFileSync(sources, 'utf8').slice(0, 12)}` : version;
}

/** Where the build leaves the console. */
export const consoleFolder = join(root, 'dist', 'console');
