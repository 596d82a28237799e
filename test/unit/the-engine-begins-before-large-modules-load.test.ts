import { build } from 'esbuild';
import { expect, it } from 'vitest';

const entry = 'src/app/commands/up.ts';

/** What `handover up` loads before it starts the engine's process: what its modules import, but not what they import later. */
const { metafile } = await build({
  entryPoints: [entry],
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  outdir: 'unwritten',
  write: false,
  metafile: true,
});
const imported = (path: string, found = new Set<string>()): Set<string> => {
  for (const { path: target, kind } of metafile.inputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(target)) continue;
    found.add(target);
    imported(target, found);
  }
  return found;
};
const first = [...imported(entry)];

it("the engine begins before large modules load: Temporal's SDK, the database and HTTP", () => {
  expect(first).toContain('src/temporal/server/dev-server.ts');
  const packages = first.filter((path) => !path.startsWith('src/') && !path.startsWith('node:'));
  expect(packages.sort()).toEqual(['pino', 'zod']);
});
