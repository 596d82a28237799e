import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { childEnvironment } from '../../store/files/child-environment.js';
import { loopback } from './ports.js';

export interface Launch {
  binary: string;
  port: number;
  uiPort: number | null;
  /** Null: the state is in memory and ends with the process. */
  database: string | null;
  log: string;
  /** Address at which Temporal UI decodes payloads. */
  codecEndpoint?: string | undefined;
  /** Further dynamic configuration of the server: JSON values by name. */
  settings?: Readonly<Record<string, string>>;
}

export interface Launched {
  pid: number;
  /** How the process ended, with the last entries of its log; undefined while it runs. */
  ended(): string | undefined;
}

/** Starts a dev server in a process group of its own. @throws when the binary cannot be started */
export function launch(wanted: Launch): Launched {
  const { binary, log } = wanted;
  const output = openSync(log, 'a');
  const child = spawn(binary, arguments_(wanted), {
    detached: true,
    env: childEnvironment('run'),
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let end: string | undefined;
  child.on('error', (error) => {
    end = error.message;
  });
  child.on('exit', (code, signal) => {
    end = `it ended with ${signal ?? `exit code ${code}`}`;
  });
  child.unref();
  if (child.pid === undefined) throw new Error(`${binary} cannot be run`);
  return { pid: child.pid, ended: () => (end === undefined ? undefined : `${end}${lastWords(log)}`) };
}

function arguments_({ port, uiPort, database, log, codecEndpoint, settings = {} }: Launch): string[] {
  // with it an update with one activity takes 30 ms, not 100 ms; it is the default from server 1.30
  const set = { 'system.enableActivityEagerExecution': 'true', ...settings };
  const ui = uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)];
  if (codecEndpoint !== undefined) ui.push('--env-file', writeSettings(dirname(log), codecEndpoint));
  // WAL is about 1.7 times as fast as the default mode; NORMAL is safe when this process is killed
  const state =
    database === null
      ? []
      : [
          '--db-filename',
          database,
          '--sqlite-pragma',
          'journal_mode=WAL',
          '--sqlite-pragma',
          'synchronous=NORMAL',
        ];
  return [
    'server',
    'start-dev',
    '--ip',
    loopback,
    '--port',
    String(port),
    ...ui,
    ...state,
    '--log-level',
    'warn',
    '--log-format',
    'json',
    ...Object.entries(set).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]),
  ];
}

/**
 * The address of the codec endpoint contains its token, and every user of the machine can see a program's arguments.
 * So the engine reads the address from a file. It is JSON, which is valid YAML.
 */
function writeSettings(folder: string, codecEndpoint: string): string {
  const file = join(folder, 'engine-settings.yaml');
  rmSync(file, { force: true });
  const settings = { env: { default: { 'ui-codec-endpoint': codecEndpoint } } };
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600, flag: 'wx' });
  return file;
}

function lastWords(log: string): string {
  try {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-3);
    return `; its log ends: ${lines.join(' | ').slice(-600)}`;
  } catch {
    return '';
  }
}
