import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Copies a folder of a database: a thousand files, which `cp` copies in half the CPU time that Node needs. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await run('cp', ['-R', `${from}/.`, to]);
}
