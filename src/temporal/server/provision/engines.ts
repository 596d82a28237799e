/** The two servers that Handover can run by itself. */
export type Engine = 'dev-server' | 'test-server';

/** What a person, a cache and a download call an engine; versions are pinned so that every machine runs the same. */
export interface EngineSpec {
  engine: Engine;
  title: string;
  /** Names a binary to use instead of finding one. */
  pathVariable: string;
  /** A command on PATH that is this engine, where one exists. */
  command?: string;
  /** Folder in the cache: name and version. */
  cacheName: string;
  /** File in that folder. */
  binary: string;
  /** The SDK's name of the version to download. */
  downloadVersion: string;
  /** Version of the server in it, where a state file depends on that. */
  serverVersion?: string;
  /** What a person can do beside providing the binary. */
  instead?: string;
}

export const cliVersion = '1.5.1';
/** Of the server in that CLI. */
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
