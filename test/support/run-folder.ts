import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processSpace } from '../../src/store/files/process-identity.js';
import { isAlive } from '../../src/temporal/server/process-info.js';

const inMemory = '/dev/shm';
/** The fast lane has 0.3 GB of files at once, and its processes take 3.5 GB. */
const needs = { files: 1024 ** 3, memory: 5 * 1024 ** 3 };

/** Of databases that tests copy; one run leaves them to the next. */
export const templatesFolder = (): string => process.env.HANDOVER_TEST_TEMPLATES ?? tmpdir();

/**
 * A new folder of this run, which its caller removes. `isOnDisk` false: in memory where there is room, for the files of a
 * hundred databases cost a ninth of the fast lane's time on a disk's file system.
 */
export async function createRunFolder({ isOnDisk }: { isOnDisk: boolean }): Promise<string> {
  // containers that share the folder have process ids of their own
  const prefix = `handover-test-${(await processSpace()).replace(/\W+/g, '-')}-`;
  await removeLeftovers(prefix);
  const parent = !isOnDisk && (await hasRoom()) ? inMemory : tmpdir();
  const folder = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  // a database server in it may have a user of its own
  await chmod(folder, 0o711);
  return folder;
}

async function hasRoom(): Promise<boolean> {
  const mounts = (await readFile('/proc/mounts', 'utf8').catch(() => '')).split('\n');
  const [, , type, options = ''] =
    mounts.findLast((line) => line.split(' ')[1] === inMemory)?.split(' ') ?? [];
  // tests run programs from folders of their own
  if (type !== 'tmpfs' || options.split(',').some((option) => option === 'noexec' || option === 'ro'))
    return false;
  const { bavail, bsize } = await statfs(inMemory);
  return bavail * bsize >= needs.files && process.availableMemory() >= needs.memory;
}

/** Those of runs that were killed: they would take memory until the machine starts again. */
async function removeLeftovers(prefix: string): Promise<void> {
  for (const name of await readdir(inMemory).catch(() => [])) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    // that of another user stays
    if (pid > 0 && !isAlive(pid))
      await rm(join(inMemory, name), { recursive: true, force: true }).catch(() => {});
  }
}
