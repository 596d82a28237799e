import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startReporting } from '../child.js';
import { environment } from '../program-settings.js';

/** Starts a bare Fastify handler in a process of its own. @param answers JSON values by path */
export async function startFloor(
  folder: string,
  answers: object,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const file = join(folder, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  const script = fileURLToPath(new URL('floor-process.js', import.meta.url));
  const { report, pid, stop } = await startReporting<{ url: string }>('floor', script, [file], {
    folder,
    env: environment(),
  });
  return { url: report.url, pid, stop };
}
