import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from '../connection/errors.js';
import { processSpace, processStart } from './process-identity.js';

/** Another live process has this data folder open (an embedded database serves one process). */
export class FolderInUseError extends DatabaseError {
  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(
      'DATA_FOLDER_IN_USE',
      `the data folder ${folder} is in use by process ${pid}; stop that one, or choose another HANDOVER_DATA_DIR`,
    );
  }
}

interface Owner {
  pid: number;
  space: string;
  start: string | null;
}

/**
 * The owner touches its file every `beatMs`. An owner that cannot be checked (another container, a system that does not
 * show when a process began) counts as gone when its file was not touched for `staleMs`.
 */
const defaultPulse = { beatMs: 2_000, staleMs: 10_000 };

/** Folders that this process holds. A lock with our pid that is not listed here is of an earlier process with that pid. */
const held = new Set<string>();

/**
 * Creates `folder`'s lock file (`<folder>.lock`), or takes it over from an owner that is gone.
 * @throws FolderInUseError when its owner lives.
 */
export async function lockFolder(
  folder: string,
  pulse = defaultPulse,
): Promise<{ release(): Promise<void> }> {
  const path = `${resolve(folder)}.lock`;
  const me: Owner = {
    pid: process.pid,
    space: await processSpace(),
    start: (await processStart(process.pid)) ?? null,
  };
  while (!(await create(path, me))) {
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) continue; // released this instant
    const owner = parse(text);
    if (owner === null && !(await isOld(path, pulse.staleMs))) {
      await sleep(25);
      continue;
    }
    if (held.has(path) || (await isAlive(path, owner, me, pulse))) {
      throw new FolderInUseError(folder, owner?.pid ?? process.pid);
    }
    await remove(path, text);
  }
  held.add(path);
  const beat = setInterval(() => utimes(path, new Date(), new Date()).catch(() => {}), pulse.beatMs);
  beat.unref();
  const release = async () => {
    clearInterval(beat);
    await rm(path, { force: true });
    held.delete(path);
  };
  return { release };
}

async function create(path: string, me: Owner): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(JSON.stringify(me));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function parse(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Owner;
    return Number.isInteger(owner.pid) && owner.pid > 0 ? owner : null;
  } catch {
    return null; // created this instant and not yet written, or a broken file
  }
}

async function isOld(path: string, staleMs: number): Promise<boolean> {
  const touched = (await stat(path).catch(() => null))?.mtimeMs;
  return touched === undefined || Date.now() - touched > staleMs;
}

async function isAlive(
  path: string,
  owner: Owner | null,
  me: Owner,
  pulse: typeof defaultPulse,
): Promise<boolean> {
  if (owner === null) return false;
  if (owner.space === me.space) {
    const start = await processStart(owner.pid);
    if (start === null) return false;
    if (start !== undefined && owner.start !== null) return start === owner.start;
  }
  // unknown: waits to see whether its owner still touches it
  const deadline = Date.now() + pulse.staleMs;
  while (Date.now() < deadline) {
    if (await isOld(path, pulse.staleMs)) return false;
    await sleep(Math.min(200, pulse.beatMs));
  }
  return !(await isOld(path, pulse.staleMs));
}

/** Removes the file of a dead owner, and no newer one: of two processes that found it, only one removes it. */
async function remove(path: string, seen: string): Promise<void> {
  const guard = `${path}.takeover`;
  try {
    await (await open(guard, 'wx')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = Date.now() - ((await stat(guard).catch(() => null))?.mtimeMs ?? 0);
    if (age > 5_000) await rm(guard, { force: true });
    else await sleep(20);
    return;
  }
  try {
    if ((await readFile(path, 'utf8').catch(() => null)) === seen) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}
