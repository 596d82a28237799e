import { readFile } from 'node:fs/promises';
import { eventually } from './eventually.js';

/** Stops a process until SIGCONT. On a busy machine it works on for a moment after the signal: resolves when it has stopped. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const state = async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') T '); // no /proc here
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  };
  await eventually(`process ${pid} is stopped`, async () => (await state()) === 'T', 30_000, 5);
}
