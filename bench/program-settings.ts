import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removed } from '../src/app/config/removed.js';
import { variables } from '../src/app/config/variables.js';
import { access } from './target.js';

/** How a build of the product is started. */
export interface Build {
  /** Path of its `handover` command. */
  script: string;
  /** Variables of the allocator that its `npm start` sets. */
  allocator: Record<string, string>;
}

/** Of the compiled bench. */
export const ownRepository = fileURLToPath(new URL('../..', import.meta.url));
/** The `handover` command of this build. */
export const ownScript = join(ownRepository, 'dist/src/cli.js');

export async function ownBuild(): Promise<Build> {
  return { script: ownScript, allocator: await allocatorOf(ownRepository) };
}

/** The variables of the allocator that `npm start` sets in the repository at `root`. */
export async function allocatorOf(root: string): Promise<Record<string, string>> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const set: string = scripts.start;
  return Object.fromEntries(
    [...set.matchAll(/\b(MALLOC_[A-Z_]+)=(?:\$\{\1:-)?(\d+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

const read = new Set([...Object.keys(variables), ...Object.keys(removed)]);
/** Also of the SDK, of the allocator, and what a compared build may read. */
const readByPrefix =
  /^(ALERT|BLOB|CALLBACK|CODEC|FORWARD|HANDOVER|INTAKE|MALLOC|OIDC|OTEL|PLATFORM|RECONCILE|SANDBOX|TEMPORAL|WORKER)_/;
/** Where the engine is. It changes no figure. */
const needed = 'TEMPORAL_CLI_PATH';

/** Without the settings of this shell, because the bench measures the defaults. */
export function environment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name === needed || !(read.has(name) || readByPrefix.test(name))),
  );
}

/** The settings of a simulated platform, the same for both sides and the client. */
export function sandboxSettings(port: number | undefined, callbackUrl: string): Record<string, string> {
  return {
    SANDBOX_PORT: String(port),
    SANDBOX_KEYS: `channel:${access.channelKey},supplier:${access.supplierKey}:${access.companyId}`,
    SANDBOX_CALLBACK_SECRET: access.callbackSecret,
    SANDBOX_CALLBACK_URL: callbackUrl,
  };
}
