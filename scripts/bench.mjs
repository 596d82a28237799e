// npm run bench: installs and builds what is missing, compiles bench/, then measures whole lifecycles. The first argument
// may name another bench (see `benches`); further arguments are passed to it.
import './lib/node-version.mjs';
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { printLine, root, runQuietly } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

await setUp();
process.setSourceMapsEnabled(true);
const benches = [
  'sandbox',
  'relay',
  'reservation',
  'intake',
  'notifications',
  'catalogue',
  'reconciliation',
  'hold',
  'console',
  'migrations',
  'slow-platform',
];
// They share the cluster of the tests, or need nothing that is built: they run from their sources.
const unbuilt = ['scale', 'scale-model'];
const named = [...benches, ...unbuilt].find((name) => name === process.argv[2]);
// each bench reads its own arguments from the third on, whether it has been named or not
if (named !== undefined) process.argv.splice(2, 1);
if (unbuilt.includes(named)) {
  await import('../test/support/typescript.mjs');
  await import(pathToFileURL(join(root, 'bench', `${named}.ts`)).href);
  process.exit();
}
const compiled = join(root, 'dist', 'bench');
const fresh = join(root, `.dist-${randomUUID()}`);
try {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', join(root, 'bench', 'tsconfig.json'), '--outDir', fresh];
  await runQuietly(process.execPath, args, 'Compiling the bench …');
  rmSync(compiled, { recursive: true, force: true });
  renameSync(join(fresh, 'bench'), compiled);
} catch (error) {
  printLine(error.message);
  process.exit(1);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
await import(pathToFileURL(join(compiled, `${named ?? 'main'}.js`)).href);
