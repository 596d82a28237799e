// npm run bench: sets up what is missing, compiles bench/ beside the build, then measures. Arguments go to the bench;
// `npm run bench -- sandbox` measures the sandbox alone, `npm run bench -- reservation` what one reservation weighs,
// `npm run bench -- catalogue` reads of the fleet, `npm run bench:intake` the intake.
import './lib/node-version.mjs';
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { printLine, root, runQuietly } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

await setUp();
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
process.setSourceMapsEnabled(true);
const alone = ['sandbox', 'reservation', 'intake', 'catalogue', 'reconciliation', 'hold'].find(
  (name) => name === process.argv[2],
);
await import(pathToFileURL(join(compiled, `${alone ?? 'main'}.js`)).href);
