import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loopback } from './ports.js';

export interface Launch {
  binary: string;
  port: number;
  uiPort: number | null;
  /** null = in memory: state ends with the process. */
  database: string | null;
  log: string;
  /** Where Temporal UI has payloads decoded. */
  codecEndpoint?: string | undefined;
  /** Further settings of the server (its dynamic configuration), as JSON by their names. */
  settings?: Readonly<Record<string, string>>;
}

export interface Launched {
  pid: number;
  /** Its last words once it has ended by itself; undefined while it runs. */
  ended(): string | undefined;
}

/** Starts a dev server in a process group of its own. @throws when the binary cannot be run at all */
export function launch(wanted: Launch): Launched {
  const { binary, log } = wanted;
  const output = openSync(log, 'a');
  const child = spawn(binary, arguments_(wanted), {
    detached: true,
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

function arguments_({ port, uiPort, database, codecEndpoint, settings = {} }: Launch): string[] {
  // an update with one activity takes 30 ms instead of 100 ms; the default from server 1.30 on
  const set = { 'system.enableActivityEagerExecution': 'true', ...settings };
  const ui = uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)];
  if (codecEndpoint !== undefined) ui.push('--ui-codec-endpoint', codecEndpoint);
  // WAL is about 1.7 times as fast as the default file mode; NORMAL keeps it whole when this process is killed
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
    ...['server', 'start-dev', '--ip', loopback, '--port', String(port), ...ui, ...state],
    ...['--log-level', 'warn', '--log-format', 'json'],
    ...Object.entries(set).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]),
  ];
}

/**
 * The state file for this binary in `folder`. A state file is not migrated between server versions, so the version
 * is part of its name; a change of engine is said aloud, for it starts without the reservations of the old one.
 */
export async function stateFile(
  binary: string,
  folder: string,
  onProgress: ((line: string) => void) | undefined,
): Promise<string> {
  const version = await serverVersion(binary);
  const name = `temporal-${version}.db`;
  const present = (await readdir(folder)).filter((file) => /^temporal-.+\.db$/.test(file));
  if (present.length > 0 && !present.includes(name)) {
    onProgress?.(
      `this data folder holds state of another Temporal server (${present.join(', ')}); server ${version} starts ` +
        'empty. Set TEMPORAL_CLI_PATH to the earlier engine to go on with it.',
    );
  }
  return join(folder, name);
}

/** `1.29.1` of `temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)`. */
async function serverVersion(binary: string): Promise<string> {
  const says = await promisify(execFile)(binary, ['--version'], { timeout: 20_000 }).catch(() => undefined);
  const version = /Server (\d[\w.+-]*)/.exec(says?.stdout ?? '')?.[1];
  if (version === undefined)
    throw new Error(`${binary} is no Temporal CLI: it does not tell its server's version`);
  return version;
}

function lastWords(log: string): string {
  try {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-3);
    return `; its log ends: ${lines.join(' | ').slice(-600)}`;
  } catch {
    return '';
  }
}
