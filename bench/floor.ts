import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endProgram, startProgram } from './child.js';
import type { SandboxProgram } from './sandbox-program.js';
import type { Target } from './target.js';

/** Starts the floor: the product's messages and HTTP calls on a bare SDK workflow. */
export async function startFloor(options: {
  folder: string;
  sandbox: SandboxProgram;
  cpuProf: string | undefined;
}): Promise<Target> {
  const script = fileURLToPath(new URL('floor/process.js', import.meta.url));
  const child = startProgram('floor', script, [options.folder, options.sandbox.url], {
    ...options,
    stdout: 'pipe',
  });
  if (child.stdout === null) throw new Error('the floor has no standard output');
  const lines = createInterface(child.stdout);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the floor did not start; its log is floor.log`);
  });
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  ended.catch(() => {});
  const { enginePid, apiUrl, temporalAddress } = JSON.parse(line as string);
  return {
    name: 'floor',
    apiUrl,
    receiverUrl: apiUrl,
    temporalAddress,
    sandboxUrl: options.sandbox.url,
    processes: { program: child.pid, engine: enginePid },
    stop: () => endProgram(child),
  };
}
