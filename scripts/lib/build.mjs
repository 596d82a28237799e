import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { bundleProgram } from './bundle-program.mjs';
import { printLine, root, runQuietly } from './run.mjs';

const dist = join(root, 'dist');
const stampFile = '.sources';
const sourceFolders = ['src', 'workflows', 'activities'];
const otherInputs = [
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'scripts/lib/build.mjs',
  'scripts/lib/build-console.mjs',
  'scripts/lib/bundle-program.mjs',
  'scripts/lib/pack-texts.mjs',
];

/** Whether dist was built from the current sources. @public for the tests */
export function isBuilt() {
  const stamp = join(dist, stampFile);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources();
}

/** Builds where dist is missing or was built from other sources. */
export async function ensureBuilt() {
  if (!isBuilt()) await build();
}

/** Compiles, copies migrations and other files, bundles the workflows, the console and the program. Replaces dist only on success. */
export async function build() {
  const hash = hashOfSources();
  const folder = `.dist-${randomUUID()}`;
  const output = join(root, folder);
  try {
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    await runQuietly(
      process.execPath,
      [compiler, '-p', 'tsconfig.build.json', '--outDir', folder],
      'Building …',
    );
    copyOtherFiles(output);
    const { bundleWorkflows } = await import(
      pathToFileURL(join(output, 'src', 'temporal', 'worker', 'bundle.js')).href
    );
    const workflows = join(root, 'workflows', 'index.ts');
    await bundleWorkflows(workflows, join(output, 'workflow-bundle.js'), { isShared: true });
    await buildConsole(join(output, 'console'));
    await bundleProgram(output);
    writeFileSync(join(output, stampFile), hash);
    replaceDist(output);
  } catch (error) {
    printLine('The build failed; the one before it, if any, stays.');
    throw error;
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

function replaceDist(output) {
  const old = join(root, `.dist-old-${randomUUID()}`);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(output, dist);
  rmSync(old, { recursive: true, force: true });
}

/** Copies migrations and all other files that the code reads at run time. */
function copyOtherFiles(output) {
  for (const path of filesOf(sourceFolders)) {
    if (!path.endsWith('.ts')) cpSync(join(root, path), join(output, path));
  }
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const path of [...filesOf([...sourceFolders, 'console']), ...otherInputs]) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Paths of all files in the folders, relative to the root and sorted, so that every machine has the same order. */
function filesOf(folders) {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
    )
    .sort();
}
