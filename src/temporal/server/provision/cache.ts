import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderInUseError, lockFolder } from '../../../store/files/folder-lock.js';
import type { EngineSpec } from './engines.js';
import { isExecutable } from './executables.js';
import type { OnProgress } from './sources.js';

/** Names of an engine in the cache. */
type CachedSpec = Pick<EngineSpec, 'cacheName' | 'binary' | 'title'>;

/** The folder that stores engines for all runs and checkouts, by the XDG base directories. */
export function cacheRoot(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'handover', 'engines');
}

export function cachedBinary(root: string, spec: Pick<CachedSpec, 'cacheName' | 'binary'>): string {
  return join(root, spec.cacheName, spec.binary);
}

/**
 * Fills the engine's cache folder once. `make` writes the binary to a new folder, which is then renamed, so that no
 * process finds an incomplete engine. A second process waits for the first.
 * @returns the cached binary's path
 */
export async function fillCache(
  root: string,
  spec: CachedSpec,
  onProgress: OnProgress,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const binary = cachedBinary(root, spec);
  await mkdir(root, { recursive: true });
  const lock = await lockEngine(join(root, spec.cacheName), spec.title, onProgress);
  const folder = join(root, `.${spec.cacheName}-${randomUUID()}`);
  try {
    if (await isExecutable(binary)) return binary;
    await removeLeftovers(root, `.${spec.cacheName}-`);
    await mkdir(folder);
    await make(folder);
    if (!(await isExecutable(join(folder, spec.binary)))) throw new Error(`it left no ${spec.binary}`);
    await rm(dirname(binary), { recursive: true, force: true });
    await rename(folder, dirname(binary));
    return binary;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await lock.release();
  }
}

async function lockEngine(folder: string, title: string, onProgress: OnProgress) {
  for (let isReported = false; ; isReported = true) {
    try {
      return await lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      if (!isReported) onProgress(`${title}: process ${error.pid} is getting it; waiting for that`);
      await sleep(500);
    }
  }
}

/** Folders of processes that were killed. The caller has the lock, so no other process uses them. */
async function removeLeftovers(root: string, prefix: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (name.startsWith(prefix)) await rm(join(root, name), { recursive: true, force: true });
  }
}
