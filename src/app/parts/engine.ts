import { join } from 'node:path';
import { type DevServer, startDevServer } from '../../temporal/server/dev-server.js';
import { leftoverOf } from '../../temporal/server/dev-server-record.js';
import { boundEngineLog } from '../../temporal/server/engine-log.js';
import { engineStateOf } from '../../temporal/server/engine-state.js';
import { isAlive } from '../../temporal/server/process-info.js';
import { provideEngine } from '../../temporal/server/provision/provide.js';
import type { Config } from '../config/index.js';
import type { FirstSetting } from '../startup/first-setting.js';
import type { Stack } from '../startup/stack.js';
import { EngineRestarts } from './engine-restarts.js';

const checkEveryMs = 1_000;

export const engineFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'temporal');

interface WatchedEngine extends DevServer {
  /** Rejects when the engine ended by itself, and is not started again. */
  failed: Promise<never>;
}

interface EngineStart {
  onProgress: (line: string) => void;
  /** 0 takes any free one; a left-over engine has its own. */
  ports?: Pick<Config['temporal'], 'port' | 'uiPort'>;
  /** Address at which its UI decrypts payloads. */
  codecEndpoint?: string | undefined;
  /** Its process runs, and does not answer yet. */
  onLaunched?: () => void;
}

/** Starts the embedded engine on this data folder and downloads it where needed; `holdEngine` comes first. No restart. */
export async function startEngine(
  setting: EngineSetting,
  stack: Stack,
  how: EngineStart,
): Promise<DevServer> {
  return startWith(setting, stack, how, (engine) => watchEngine(engine, engineLogOf(setting.config)));
}

/** The same for a process that does more than run the engine: one that ends by itself is started again. */
export async function superviseEngine(
  setting: EngineSetting & Pick<FirstSetting, 'log'>,
  stack: Stack,
  how: EngineStart,
): Promise<DevServer> {
  return startWith(setting, stack, how, (engine) => {
    const restarts = new EngineRestarts(engine, {
      prepare: () => prepareEngine(setting, how),
      engineLog: engineLogOf(setting.config),
      log: setting.log,
      printLine: how.onProgress,
    });
    return { ...engine, stop: () => restarts.stop(), failed: restarts.failed };
  });
}

async function startWith(
  setting: EngineSetting,
  stack: Stack,
  how: EngineStart,
  watch: (engine: DevServer) => WatchedEngine,
): Promise<DevServer> {
  const start = await prepareEngine(setting, how);
  await boundLog(setting, stack);
  const engine = await stack.start(
    'embedded engine',
    async () => watch(await start()),
    (started) => started.stop(),
  );
  stack.endWith(engine.failed);
  return engine;
}

type EngineSetting = Pick<FirstSetting, 'config' | 'env'>;

const engineLogOf = (config: Pick<Config, 'dataDir'>): string => join(engineFolder(config), 'engine.log');

const boundLog = ({ config }: EngineSetting, stack: Stack) =>
  stack.start(
    'log of the engine',
    async () => boundEngineLog(engineLogOf(config)),
    async (end) => end(),
  );

/** Downloading an engine may take minutes, and a stop does not wait for it. A left-over engine needs none, unless it hangs. */
async function prepareEngine(
  { config, env }: EngineSetting,
  { onProgress, ports: { port, uiPort } = config.temporal, codecEndpoint, onLaunched }: EngineStart,
): Promise<() => Promise<DevServer>> {
  const folder = engineFolder(config);
  const provide = async () =>
    provideEngine('dev-server', { env, onProgress, state: await engineStateOf(folder) });
  const binary = (await leftoverOf(folder)) === undefined ? await provide() : provide;
  return () => startDevServer({ binary, folder, port, uiPort, codecEndpoint, onProgress, onLaunched });
}

/** Polls the process instead of waiting for a child's exit event: an adopted engine is no child of this process. */
function watchEngine(server: DevServer, engineLog: string): WatchedEngine {
  let poll: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    poll = setInterval(() => {
      if (isAlive(server.pid)) return;
      clearInterval(poll);
      reject(new Error(`the embedded Temporal (process ${server.pid}) ended by itself; see ${engineLog}`));
    }, checkEveryMs);
  });
  failed.catch(() => {}); // it may be awaited later
  const stop = () => {
    clearInterval(poll);
    return server.stop();
  };
  return { ...server, stop, failed };
}
