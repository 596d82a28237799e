import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const version = '4.32.5';

/**
 * The property-based tester of API documents, in a Python environment of its own that is made once.
 * @returns its path, or why it cannot be had here
 */
export async function schemathesis(): Promise<{ path: string } | { missing: string }> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'handover', 'tools', `schemathesis-${version}`);
  const path = join(folder, 'bin', 'schemathesis');
  if (existsSync(path)) return { path };
  try {
    await mkdir(folder, { recursive: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${version}`]);
    return { path };
  } catch {
    return { missing: `no Python 3.10 or newer with venv, or no schemathesis ${version} to install` };
  }
}

/**
 * Runs its default checks against a service.
 * @returns its report, and whether every check held
 */
export async function checkDocument(
  path: string,
  service: { url: string; token: string; seed: number },
): Promise<{ holds: boolean; report: string }> {
  const args = ['run', `${service.url}/docs/json`, '--max-examples', '8', '--seed', String(service.seed)];
  const options = ['--no-color', '--request-timeout', '30', '--suppress-health-check', 'all'];
  // a stream has no end
  options.push('--exclude-path', '/api/changes');
  const cwd = await mkdtemp(join(tmpdir(), 'handover-documents-'));
  const headers = ['-H', `Authorization: Bearer ${service.token}`];
  try {
    const { stdout } = await run(path, [...args, ...options, ...headers], {
      cwd,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { holds: true, report: stdout };
  } catch (error) {
    const report = (error as { stdout?: string }).stdout ?? String(error);
    return { holds: false, report: report.slice(Math.max(0, report.search(/=+ (?:FAILURES|ERRORS)/))) };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
