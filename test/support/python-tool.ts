import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A command of a Python package, in an environment of its own that is made once.
 * @returns its path, or why it cannot be had here
 */
export async function pythonTool(
  name: string,
  version: string,
): Promise<{ path: string } | { missing: string }> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'handover', 'tools', `${name}-${version}`);
  const path = join(folder, 'bin', name);
  if (existsSync(path)) return { path };
  try {
    await mkdir(folder, { recursive: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `${name}==${version}`]);
    return { path };
  } catch {
    return { missing: `no Python 3.10 or newer with venv, or no ${name} ${version} to install` };
  }
}
