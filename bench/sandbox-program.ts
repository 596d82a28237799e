import { freePort } from '../src/temporal/server/ports.js';
import { endProgram, startProgram, untilReady } from './child.js';
import { access, host } from './target.js';

export interface SandboxProgram {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the simulated platform in a process of its own: what it costs is no cost of the program that is measured. */
export async function startSandboxProgram(
  script: string,
  { folder, callbackUrl, env }: { folder: string; callbackUrl: string; env: NodeJS.ProcessEnv },
): Promise<SandboxProgram> {
  const port = await freePort();
  const child = startProgram('sandbox', script, ['sandbox'], {
    folder,
    cpuProf: undefined,
    stdout: 'log',
    env: {
      ...env,
      HANDOVER_DATA_DIR: `${folder}/platform`,
      SANDBOX_PORT: String(port),
      SANDBOX_KEYS: `channel:${access.channelKey},supplier:${access.supplierKey}:${access.companyId}`,
      SANDBOX_CALLBACK_URL: callbackUrl,
      SANDBOX_CALLBACK_SECRET: access.callbackSecret,
    },
  });
  const url = `http://${host}:${port}`;
  await untilReady('sandbox', child, `${url}/docs/json`);
  return { url, pid: child.pid, stop: () => endProgram(child) };
}
