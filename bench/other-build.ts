import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Build } from './program-settings.js';

const run = promisify(execFile);
/** Of the compiled benchmark. */
const ownRepository = fileURLToPath(new URL('../..', import.meta.url));

export interface OtherBuild extends Build {
  /** Tag and commit: `v0.2.0 (3edbe7a)`. */
  name: string;
}

/**
 * Builds another commit in a folder of its own with its own dependencies, and does not change the repository.
 * @throws Error where the repository does not have the commit, or its build fails
 */
export async function buildOther(
  commit: string,
  folder: string,
  repository = ownRepository,
): Promise<OtherBuild> {
  const found = await run('git', ['rev-parse', '--short', '--verify', `${commit}^{commit}`], {
    cwd: repository,
  })
    .then(({ stdout }) => stdout.trim())
    .catch(() => {
      throw new Error(
        `--compare ${commit}: the repository has no such commit or tag (a shallow clone has few)`,
      );
    });
  const root = join(folder, found);
  await mkdir(root, { recursive: true });
  const archive = spawn('git', ['archive', found], { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'] });
  const unpack = spawn('tar', ['-x', '-C', root], { stdio: [archive.stdout, 'ignore', 'inherit'] });
  await Promise.all([ends(archive, 'git archive'), ends(unpack, 'tar')]);
  const build = spawn(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: ['ignore', 2, 2] });
  await ends(build, `the build of ${found}`);
  return {
    name: commit.startsWith(found) ? found : `${commit} (${found})`,
    script: join(root, 'dist/src/cli.js'),
    allocator: await allocatorOf(root),
  };
}

async function allocatorOf(root: string): Promise<Record<string, string>> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const set: string = scripts.start;
  return Object.fromEntries(
    [...set.matchAll(/\b(MALLOC_[A-Z_]+)=(?:\$\{\1:-)?(\d+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

async function ends(child: ReturnType<typeof spawn>, what: string): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`--compare: ${what} failed`);
}
