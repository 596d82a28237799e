import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Another live process has this data folder open (an embedded database serves one process). */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(`the data folder ${folder} is in use by process ${pid}; stop that one, or choose another HANDOVER_DATA_DIR`);
  }
}

/** Takes `folder`'s lock file (`<folder>.lock`, holding the owner's pid); a dead owner's lock is taken over. */
export async function lockFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const path = `${folder}.lock`;
  for (let attempt = 0; ; attempt++) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(await readFile(path, 'utf8').catch(() => ''));
    if (owner > 0 && isAlive(owner)) throw new FolderInUseError(folder, owner);
    if (owner > 0 || attempt >= 20) await rm(path, { force: true });
    else await sleep(25); // created this instant and not yet written
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
