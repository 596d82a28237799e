import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endProgram, startProgram, untilReady } from './child.js';
import { freePorts } from './free-ports.js';
import { type Build, environment, ownBuild, sandboxSettings } from './program-settings.js';
import type { SandboxProgram } from './sandbox-program.js';
import { access, host, type Target } from './target.js';

/** Starts the whole product like `npm start -- --no-demo`, on its own data folder and ports. */
export async function startProduct(options: {
  folder: string;
  callbackUrl: string;
  cpuProf: string | undefined;
  /** Of its log and its CPU profiles. */
  name?: string;
  /** Address of the platform, where it is a process of its own. */
  sandbox?: SandboxProgram;
  /** Callbacks have a port and a thread of their own (CALLBACK_PORT). */
  isApart?: boolean;
  /** Absent: this one. */
  build?: Build;
  /** Settings that differ from the defaults. */
  env?: Record<string, string>;
}): Promise<Target> {
  const {
    name = 'product',
    folder,
    callbackUrl,
    sandbox,
    isApart = false,
    build = await ownBuild(),
  } = options;
  const [port, sandboxPort, temporalPort, uiPort, callbackPort] = await freePorts(5);
  const env = {
    ...environment(),
    ...build.allocator,
    HANDOVER_DATA_DIR: join(folder, 'data'),
    HANDOVER_HOST: host,
    HANDOVER_PORT: String(port),
    HANDOVER_DRAIN: 'PT0S',
    HANDOVER_TEMPORAL_PORT: String(temporalPort),
    HANDOVER_TEMPORAL_UI_PORT: String(uiPort),
    HANDOVER_TOKENS: `staff:${access.token}`,
    CALLBACK_SECRETS: access.callbackSecret,
    ...(isApart && { CALLBACK_PORT: String(callbackPort) }),
    ...(sandbox === undefined ? sandboxSettings(sandboxPort, callbackUrl) : platformOf(sandbox)),
    ...options.env,
  };
  const child = startProgram(name, build.script, ['up', '--no-demo'], {
    ...options,
    env,
    stdout: 'log',
  });
  const apiUrl = `http://${host}:${port}`;
  await untilReady(name, child, `${apiUrl}/readyz`);
  return {
    name: 'product',
    apiUrl,
    receiverUrl: isApart ? `http://${host}:${callbackPort}` : apiUrl,
    sandboxUrl: sandbox?.url ?? `http://${host}:${sandboxPort}`,
    temporalAddress: `${host}:${temporalPort}`,
    processes: { program: child.pid, engine: await enginePid(join(folder, 'data')) },
    stop: () => endProgram(child),
  };
}

function platformOf({ url }: SandboxProgram): Record<string, string> {
  return {
    PLATFORM_BASE_URL: url,
    PLATFORM_CHANNEL_API_KEY: access.channelKey,
    PLATFORM_SUPPLIER_API_KEY: access.supplierKey,
  };
}

/** The process id of the embedded engine, from its record in the data folder. */
async function enginePid(dataDir: string): Promise<number> {
  const record = await readFile(join(dataDir, 'temporal', 'engine.json'), 'utf8');
  return (JSON.parse(record) as { pid: number }).pid;
}
