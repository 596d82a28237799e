import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const assets = fileURLToPath(new URL('../../console/assets', import.meta.url));

/** KB of the console's files after gzip: all scripts, all styles, and what the first screen loads (by file name). */
export async function sizesOf(
  loaded: readonly string[],
): Promise<Record<'scripts' | 'styles' | 'first', number>> {
  const sizes = new Map<string, number>();
  for (const name of await readdir(assets)) {
    if (/\.(?:js|css)$/.test(name)) sizes.set(name, gzipSync(await readFile(join(assets, name))).length);
  }
  const sum = (isMeant: (name: string) => boolean) =>
    [...sizes].reduce((total, [name, bytes]) => (isMeant(name) ? total + bytes : total), 0) / 1024;
  return {
    scripts: sum((name) => name.endsWith('.js')),
    styles: sum((name) => name.endsWith('.css')),
    first: sum((name) => loaded.includes(name)),
  };
}
