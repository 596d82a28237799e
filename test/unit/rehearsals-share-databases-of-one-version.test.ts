import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { embeddedPostgresVersion } from '../../src/app/installation.js';
import { fingerprint } from '../../src/tools/rehearse/stage/folders.js';

it('the cached databases of rehearsals are made again for another version of the embedded Postgres', async () => {
  expect(await fingerprint('0.0.1')).not.toBe(await fingerprint());
  expect(await fingerprint(embeddedPostgresVersion)).toBe(await fingerprint());
});

it('its version is that of the installed package', async () => {
  const manifest = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url);
  expect(JSON.parse(await readFile(manifest, 'utf8')).version).toBe(embeddedPostgresVersion);
});
