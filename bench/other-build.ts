import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWithBench } from './child.js';
import { allocatorOf, type Build, ownRepository } from './program-settings.js';

const run = promisify(execFile);

/** Commits of releases, for a clone without tags. */
const releases: Readonly<Record<string, string>> = { 'v0.2.0': '3edbe7a', 'v0.3.0': 'd047375' };

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
  const found = await findCommit(commit, repository);
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

/** Short. @throws Error where there is none, which says what to do */
export async function findCommit(
  name: string,
  repository: string,
  commits: Readonly<Record<string, string>> = releases,
): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: repository })).stdout.trim();
  await git('rev-parse', '--git-dir').catch(({ code, stderr }) => {
    const why = code === 'ENOENT' ? 'git is not installed' : `${repository} is not read as a git repository`;
    throw new Error(`--compare ${name}: ${[why, stderr?.trim()].filter(Boolean).join(': ')}`);
  });
  const shortOf = (commit: string) => git('rev-parse', '--short', '--verify', `${commit}^{commit}`);
  return shortOf(name)
    .catch(() => shortOf(commits[name] ?? name))
    .catch(() => {
      throw new Error(
        `--compare ${name}: the repository has no such commit or tag. ` +
          `A shallow clone has few (\`git fetch --unshallow\`); known without a tag: ${Object.keys(commits).join(', ')}`,
      );
    });
}

async function ends(child: ReturnType<typeof spawn>, what: string): Promise<void> {
  endWithBench(child);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`--compare: ${what} failed`);
}
