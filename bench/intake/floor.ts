import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endProgram, startProgram } from '../child.js';

/** Starts a floor in a process of its own: `bare` stores nothing, `signal` signals Temporal before it answers. */
export async function startFloor(
  kind: 'bare' | 'signal',
  folder: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const script = fileURLToPath(new URL('floor-process.js', import.meta.url));
  const options = { folder, cpuProf: undefined, stdout: 'pipe' as const };
  const child = startProgram(`floor-${kind}`, script, [kind, folder], options);
  if (child.stdout === null) throw new Error('the floor has no standard output');
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the floor did not start; its log is floor-${kind}.log`);
  });
  ended.catch(() => {});
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  return { url: (JSON.parse(line as string) as { url: string }).url, stop: () => endProgram(child) };
}
