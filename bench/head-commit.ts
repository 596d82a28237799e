import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Short, of the working tree; `no commit` outside a repository. */
export async function headCommit(): Promise<string> {
  return promisify(execFile)('git', ['rev-parse', '--short', 'HEAD']).then(
    ({ stdout }) => stdout.trim(),
    () => 'no commit',
  );
}
