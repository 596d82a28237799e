import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The `migrations` folder beside the module `moduleUrl` (`import.meta.url`). Compiled code finds its source's: the
 * compiler leaves SQL files where they are.
 */
export function migrationsFolder(moduleUrl: string): string {
  const beside = fileURLToPath(new URL('./migrations', moduleUrl));
  const source = beside.replace(`${sep}dist${sep}src${sep}`, `${sep}src${sep}`);
  const found = [beside, source].find((folder) => existsSync(folder));
  if (found === undefined)
    throw new Error(`no migrations in ${beside} nor in ${source}: incomplete installation`);
  return found;
}
