import { freePort } from '../src/temporal/server/ports.js';
import { endProgram, startProgram, untilReady } from './child.js';
import { environment, ownScript, sandboxSettings } from './program-settings.js';
import { host } from './target.js';

export interface SandboxProgram {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the simulated platform in a process of its own, so that its CPU does not count for the measured program. */
export async function startSandboxProgram(folder: string, callbackUrl: string): Promise<SandboxProgram> {
  const port = await freePort();
  const child = startProgram('sandbox', ownScript, ['sandbox'], {
    folder,
    cpuProf: undefined,
    stdout: 'log',
    env: {
      ...environment(),
      ...sandboxSettings(port, callbackUrl),
      HANDOVER_DATA_DIR: `${folder}/platform`,
    },
  });
  const url = `http://${host}:${port}`;
  await untilReady('sandbox', child, `${url}/docs/json`);
  return { url, pid: child.pid, stop: () => endProgram(child) };
}
