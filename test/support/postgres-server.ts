import { execFile } from 'node:child_process';
import { accessSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../src/temporal/server/ports.js';

const run = promisify(execFile);
/** Where Debian and Ubuntu keep them, each version in a folder of its own. */
const versions = '/usr/lib/postgresql';

/** The folder with Postgres's programs on this machine; undefined where it has none. */
export async function postgresPrograms(): Promise<string | undefined> {
  const packaged = (await readdir(versions).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...packaged.map((version) => join(versions, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => ['initdb', 'pg_ctl'].every((name) => exists(join(folder, name))));
}

function exists(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

export interface PostgresServer {
  /** Of its database. */
  url: string;
  /** What it has logged. */
  log(): Promise<string>;
  /**
   * `immediate`: every process of it ends at once, as in a crash; then it recovers. `fast`: an orderly restart. Resolves
   * when it takes connections again.
   */
  restart(mode?: 'immediate' | 'fast'): Promise<void>;
  remove(): Promise<void>;
}

/** Where a server listens, and its owner. */
export interface PostgresAccount {
  host: string;
  port: number;
  user: string;
  /** Empty: everybody is let in. */
  password: string;
}

/**
 * A Postgres server of its own, with fsync as it comes, on a port of its own.
 * @param programs their folder
 * @param parent where its data lies
 */
export async function startPostgres(
  programs: string,
  parent = tmpdir(),
  account: Partial<PostgresAccount> = {},
): Promise<PostgresServer> {
  const { host = '127.0.0.1', port = await freePort(), user = 'handover', password = '' } = account;
  const folder = await mkdtemp(join(parent, 'handover-postgres-'));
  const runsAs = await whoRunsIt();
  if (runsAs !== undefined) await chown(folder, runsAs.uid, runsAs.gid);
  const data = join(folder, 'data');
  const call = (name: string, ...args: string[]) =>
    run(join(programs, name), ['-D', data, ...args], { cwd: '/', ...runsAs });
  const log = join(folder, 'log');
  const control = (...args: string[]) => call('pg_ctl', '-w', '-t', '120', '-l', log, ...args);
  const secret = join(folder, 'password');
  await writeFile(secret, `${password}\n`);
  const letIn = password === '' ? ['-A', 'trust'] : ['-A', 'scram-sha-256', '--pwfile', secret];
  await call('initdb', '-U', user, ...letIn, '-E', 'UTF8', '--locale=C');
  await control('-o', `-p ${port} -c listen_addresses=${host} -c unix_socket_directories=''`, 'start');
  return {
    url: `postgres://${user}${password === '' ? '' : `:${password}`}@${host}:${port}/postgres`,
    log: () => readFile(log, 'utf8'),
    restart: async (mode = 'immediate') => void (await control('-m', mode, 'restart')),
    async remove() {
      await control('-m', 'immediate', 'stop');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Postgres refuses to run as root. */
async function whoRunsIt(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('this machine has neither a user postgres nor a user nobody');
  return { uid: Number(uid), gid: Number(gid) };
}
