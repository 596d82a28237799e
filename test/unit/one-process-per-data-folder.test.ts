import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderInUseError, lockFolder } from '../../src/store/files/folder-lock.js';
import { processSpace, processStart } from '../../src/store/files/process-identity.js';

let parent: string;
let folder: string;
let other: ChildProcess;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'handover-lock-'));
  folder = join(parent, 'db');
  other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (other.stdout !== null) await once(other.stdout, 'data');
});
afterEach(async () => {
  other.kill('SIGKILL');
  await rm(parent, { recursive: true, force: true });
});

const quick = { beatMs: 20, staleMs: 800 };
const writeOwner = async (owner: Record<string, unknown>) => {
  await writeFile(`${folder}.lock`, JSON.stringify(owner));
};
const otherPid = () => other.pid ?? 0;

describe('the lock of a data folder', () => {
  it('is refused while this process holds it, and free again after release', async () => {
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(FolderInUseError);
    await lock.release();
    await (await lockFolder(folder)).release();
  });

  it('names the live process that holds it', async () => {
    await writeOwner({ pid: otherPid(), space: await processSpace(), start: await processStart(otherPid()) });
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${otherPid()}`);
  });

  it('is taken over from a process that was killed', async () => {
    await writeOwner({ pid: otherPid(), space: await processSpace(), start: await processStart(otherPid()) });
    other.kill('SIGKILL');
    await once(other, 'exit');
    await (await lockFolder(folder)).release();
  });

  it('is taken over when its pid belongs to another program now', async () => {
    await writeOwner({ pid: otherPid(), space: await processSpace(), start: 'an earlier life' });
    await (await lockFolder(folder)).release();
  });

  it('is taken over when its pid is our own, of a former life (a restarted container)', async () => {
    await writeOwner({ pid: process.pid, space: await processSpace(), start: 'an earlier life' });
    await (await lockFolder(folder)).release();
  });

  it('of an owner that cannot be looked up is valid while it is touched, and free when it is not', async () => {
    await writeOwner({ pid: 1, space: 'another container', start: '1' });
    const touch = setInterval(() => utimes(`${folder}.lock`, new Date(), new Date()), 20);
    try {
      await expect(lockFolder(folder, quick)).rejects.toBeInstanceOf(FolderInUseError);
    } finally {
      clearInterval(touch);
    }
    await (await lockFolder(folder, quick)).release();
  });

  it('survives a lock file that was cut off while it was written', async () => {
    await writeFile(`${folder}.lock`, '{"pi');
    await (await lockFolder(folder, quick)).release();
  });

  it('is given to one of many that find the same dead owner', async () => {
    await writeOwner({ pid: otherPid(), space: await processSpace(), start: 'an earlier life' });
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
    const winners = tries.filter((result) => result.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(JSON.parse(await readFile(`${folder}.lock`, 'utf8'))).toMatchObject({ pid: process.pid });
    await winners[0]?.value.release();
  });
});
