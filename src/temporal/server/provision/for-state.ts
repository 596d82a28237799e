import { describeState, type EngineState, waysOut } from '../engine-state.js';
import { serverVersion } from '../server-version.js';
import { isExecutable } from './executables.js';
import { EngineNotFoundError, type Found, firstFound, type OnProgress, type Source } from './sources.js';

/**
 * The first engine found that can continue `state`. Others are reported and skipped.
 * @returns the path of its executable
 * @throws `EngineNotFoundError` with the state's version, the sources that were tried, and how to start without the state
 */
export async function engineForState(
  state: EngineState,
  title: string,
  [explicit, ...others]: Source[],
  onProgress: OnProgress,
): Promise<string> {
  const matching = [explicit, whereItWas(state), ...others]
    .filter((source) => source !== undefined)
    .filter((source) => (source.serverVersion ?? state.version) === state.version)
    .map((source) => ofVersion(source, state, onProgress));
  try {
    return await firstFound(`${title} with server ${state.version}`, matching, ...waysOut(state));
  } catch (error) {
    if (!(error instanceof EngineNotFoundError)) throw error;
    throw new EngineNotFoundError(`${describeState(state)}\n${error.message}`);
  }
}

function whereItWas({ binary }: EngineState): Source | undefined {
  if (binary === undefined) return undefined;
  return {
    way: `the engine used last: ${binary}`,
    find: async () => ((await isExecutable(binary)) ? { path: binary } : { missing: 'no longer there' }),
  };
}

function ofVersion(source: Source, state: EngineState, onProgress: OnProgress): Source {
  const find = async (): Promise<Found> => {
    const found = await source.find();
    if (!('path' in found)) return found;
    const version = await serverVersion(found.path).catch(() => undefined);
    if (version === state.version) return found;
    const missing = `${found.path} is ${version === undefined ? 'no Temporal CLI' : `server ${version}`}`;
    onProgress(`${missing}; the data folder needs server ${state.version}: looking further`);
    return { missing };
  };
  return { way: source.way, find };
}
