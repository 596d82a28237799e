import type { EngineState } from '../engine-state.js';
import { builders } from './build.js';
import { cachedBinary, cacheRoot, fillCache } from './cache.js';
import { download } from './download.js';
import { type Engine, type EngineSpec, engines } from './engines.js';
import { findOnPath, isExecutable } from './executables.js';
import { engineForState } from './for-state.js';
import { type Found, firstFound, type OnProgress, type Source } from './sources.js';

export interface ProvideOptions {
  env?: NodeJS.ProcessEnv;
  onProgress?: OnProgress;
  /** State to continue: only an engine of its server version is used. */
  state?: EngineState | undefined;
}

/**
 * Finds an engine, or adds it to the cache. Sources in their order: explicit path, PATH, cache, the SDK's download, build.
 * @returns the path of its executable
 * @throws `EngineNotFoundError` with every way to provide an engine
 */
export async function provideEngine(engine: Engine, options: ProvideOptions = {}): Promise<string> {
  const { env = process.env, onProgress = () => {}, state } = options;
  const spec = engines[engine];
  const sources = sourcesOf(spec, env, onProgress);
  if (state !== undefined) return engineForState(state, spec.title, sources, onProgress);
  return firstFound(spec.title, sources, ...(spec.instead === undefined ? [] : [spec.instead]));
}

function sourcesOf(spec: EngineSpec, env: NodeJS.ProcessEnv, onProgress: OnProgress): Source[] {
  const root = cacheRoot(env);
  const fromPath = spec.command === undefined ? [] : [onPath(spec.command, env.PATH ?? '')];
  return [
    explicitPath(spec, env[spec.pathVariable]),
    ...fromPath,
    inCache(cachedBinary(root, spec)),
    downloaded(spec, root, env, onProgress),
    built(spec, root, env, onProgress),
  ];
}

function explicitPath({ pathVariable, binary }: EngineSpec, path: string | undefined): Source {
  return {
    way: `${pathVariable}: the path of a ${binary} executable`,
    async find() {
      if (path === undefined || path === '') return { missing: 'not set' };
      if (await isExecutable(path)) return { path };
      return { wrong: `${pathVariable} is ${path}, which is no executable file; correct it or unset it` };
    },
  };
}

function onPath(command: string, searchPath: string): Source {
  return {
    way: `${command} on PATH`,
    async find() {
      const path = await findOnPath(command, searchPath);
      return path === undefined ? { missing: 'not there' } : { path };
    },
  };
}

function inCache(path: string): Source {
  return {
    way: `the cache: ${path}`,
    find: async () => ((await isExecutable(path)) ? { path } : { missing: 'not there' }),
  };
}

function downloaded(spec: EngineSpec, root: string, env: NodeJS.ProcessEnv, onProgress: OnProgress): Source {
  const make = (folder: string) => download(spec, folder, env, onProgress);
  const find = () => cached(spec, root, onProgress, make);
  return { way: "the Temporal SDK's download", serverVersion: spec.serverVersion, find };
}

function built(spec: EngineSpec, root: string, env: NodeJS.ProcessEnv, onProgress: OnProgress): Source {
  const builder = builders[spec.engine];
  return {
    way: builder.way,
    serverVersion: spec.serverVersion,
    async find() {
      for (const command of builder.needs) {
        if ((await findOnPath(command, env.PATH ?? '')) === undefined)
          return { missing: `no ${command} on PATH` };
      }
      return cached(spec, root, onProgress, (folder) => builder.build(folder, env, onProgress));
    },
  };
}

async function cached(
  spec: EngineSpec,
  root: string,
  onProgress: OnProgress,
  make: (folder: string) => Promise<void>,
): Promise<Found> {
  try {
    return { path: await fillCache(root, spec, onProgress, make) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    onProgress(`${spec.title}: that did not work: ${reason}`);
    return { missing: reason };
  }
}
