import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endProgram, startProgram } from '../child.js';

/** Starts a bare Fastify handler in a process of its own. @param answers JSON values by path */
export async function startFloor(
  folder: string,
  answers: object,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const file = join(folder, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  const script = fileURLToPath(new URL('floor-process.js', import.meta.url));
  const child = startProgram('floor', script, [file], { folder, cpuProf: undefined, stdout: 'pipe' });
  if (child.stdout === null) throw new Error('the floor has no standard output');
  const [ready] = await once(createInterface(child.stdout), 'line');
  return { url: JSON.parse(ready as string).url, pid: child.pid, stop: () => endProgram(child) };
}
