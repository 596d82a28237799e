import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOther } from '../../bench/other-build.js';
import { cacheRoot } from '../../src/temporal/server/provision/cache.js';

/** The release before this one, where no tag names it: 0.3.0. */
const recorded = 'd047375bca6c62437de58dfb9c5a1141c8016299';
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Tag or commit of the release before this one; undefined where the history has neither (a shallow clone, an archive). */
export function previousRelease(): string | undefined {
  const newestTag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  return newestTag ?? (git('cat-file', '-e', `${recorded}^{commit}`) === undefined ? undefined : recorded);
}

/** Builds it once for all runs of this machine: about a minute. @returns the path of its `handover` command */
export async function buildRelease(release: string): Promise<string> {
  const commit = git('rev-parse', '--short', `${release}^{commit}`) ?? release;
  const folder = join(cacheRoot(process.env), '..', 'releases');
  const script = join(folder, commit, 'dist', 'src', 'cli.js');
  return existsSync(script) ? script : (await buildOther(commit, folder, repository)).script;
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: repository, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}
