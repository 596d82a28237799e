/** The two Temporal servers that Handover can start. */
export type Engine = 'dev-server' | 'test-server';

/** Names of an engine, for operators, the cache and the download. Versions are pinned, so that all machines run the same. */
export interface EngineSpec {
  engine: Engine;
  title: string;
  /** Environment variable with the path of a binary to use. */
  pathVariable: string;
  /** Name of the engine's command on PATH, where it has one. */
  command?: string;
  /** Folder in the cache: name and version. */
  cacheName: string;
  /** File name of the binary in that folder. */
  binary: string;
  /** The SDK's name of the version to download. */
  downloadVersion: string;
  /** Server version, where a state file depends on it. */
  serverVersion?: string;
  /** For operators: what to do where the binary cannot be provided. */
  instead?: string;
}

export const cliVersion = '1.5.1';
/** Version of the server in that CLI. */
const serverVersion = '1.29.1';
export const testServerVersion = '1.38.0';

const suffix = process.platform === 'win32' ? '.exe' : '';

export const engines: Record<Engine, EngineSpec> = {
  'dev-server': {
    engine: 'dev-server',
    title: 'Temporal dev server',
    pathVariable: 'TEMPORAL_CLI_PATH',
    command: `temporal${suffix}`,
    cacheName: `temporal-cli-${cliVersion}`,
    binary: `temporal${suffix}`,
    downloadVersion: `v${cliVersion}`,
    serverVersion,
    instead:
      'a Temporal that already runs: set TEMPORAL_ADDRESS (and TEMPORAL_NAMESPACE) and no engine is needed',
  },
  'test-server': {
    engine: 'test-server',
    title: 'Temporal time-skipping test server',
    pathVariable: 'TEMPORAL_TEST_SERVER_PATH',
    cacheName: `temporal-test-server-${testServerVersion}`,
    binary: `temporal-test-server${suffix}`,
    downloadVersion: `v${testServerVersion}`,
  },
};
