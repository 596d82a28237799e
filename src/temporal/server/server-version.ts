import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '../../store/files/child-environment.js';

/**
 * The version of the server in a Temporal CLI: `1.29.1` of `temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)`.
 * @throws when the program reports no version
 */
export async function serverVersion(binary: string): Promise<string> {
  const output = await promisify(execFile)(binary, ['--version'], {
    timeout: 20_000,
    env: childEnvironment('run'),
  }).catch(() => undefined);
  const version = /Server (\d[\w.+-]*)/.exec(output?.stdout ?? '')?.[1];
  if (version === undefined)
    throw new Error(`${binary} is no Temporal CLI: it does not report the version of its server`);
  return version;
}
