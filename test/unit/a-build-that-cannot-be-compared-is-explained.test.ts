import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { buildOther, findCommit } from '../../bench/other-build.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-bench-other-'));
});
afterAll(() => rm(folder, { recursive: true }));

const compare = () => buildOther('v0.2.0', join(folder, 'builds'), folder);

it('a folder that is no git repository is named', async () => {
  vi.stubEnv('LC_ALL', 'C');
  vi.stubEnv('GIT_CEILING_DIRECTORIES', tmpdir());
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(compare()).rejects.toThrow(
    `--compare v0.2.0: ${folder} is not read as a git repository: fatal: not a git repository`,
  );
});

it('a missing git is named', async () => {
  vi.stubEnv('PATH', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(compare()).rejects.toThrow('--compare v0.2.0: git is not installed');
});

it('for a repository without the commit, the error names the releases that are known without a tag', async () => {
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  await expect(compare()).rejects.toThrow(
    'the repository has no such commit or tag. A shallow clone has few (`git fetch --unshallow`); known without a tag: v0.2.0, v0.3.0',
  );
});

it('a release is found by its version in a repository without tags', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  git(
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@example.org',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'a release',
  );
  const commit = git('rev-parse', 'HEAD');
  expect(commit).toContain(await findCommit('v9.9.9', folder, { 'v9.9.9': commit }));
});
