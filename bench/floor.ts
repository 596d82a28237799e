import { fileURLToPath } from 'node:url';
import { startReporting } from './child.js';
import { environment } from './program-settings.js';
import type { SandboxProgram } from './sandbox-program.js';
import type { Target } from './target.js';

interface Started {
  apiUrl: string;
  temporalAddress: string;
  enginePid: number;
}

/** Starts the floor: the product's messages and HTTP calls on a bare SDK workflow. */
export async function startFloor(options: {
  folder: string;
  sandbox: SandboxProgram;
  cpuProf: string | undefined;
}): Promise<Target> {
  const { folder, sandbox, cpuProf } = options;
  const script = fileURLToPath(new URL('floor/process.js', import.meta.url));
  const { report, pid, stop } = await startReporting<Started>('floor', script, [folder, sandbox.url], {
    folder,
    cpuProf,
    env: environment(),
  });
  return {
    name: 'floor',
    apiUrl: report.apiUrl,
    receiverUrl: report.apiUrl,
    temporalAddress: report.temporalAddress,
    sandboxUrl: sandbox.url,
    processes: { program: pid, engine: report.enginePid },
    stop,
  };
}
