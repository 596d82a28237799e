import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WireProfile } from '../profile.js';
import { problemsOf } from './check.js';
import { defaultProfile } from './default/index.js';

const builtIn = new Map([['default', defaultProfile]]);

/** The value of `WIRE_PROFILE` is not a wire profile. The message describes a valid one. */
export class WireProfileError extends Error {
  override readonly name = 'WireProfileError';
  readonly code = 'WIRE_PROFILE';
}

/**
 * @param nameOrModulePath a built-in name (`default`), or the path of a JavaScript module, relative to the
 *   working directory, that exports a wire profile as `default` or `profile`
 * @throws WireProfileError when the module does not exist, does not load, or does not export a wire profile
 */
export async function loadProfile(nameOrModulePath: string): Promise<WireProfile> {
  return builtIn.get(nameOrModulePath) ?? fromModule(nameOrModulePath);
}

async function fromModule(path: string): Promise<WireProfile> {
  const file = resolve(path);
  if (!existsSync(file))
    throw new WireProfileError(
      `WIRE_PROFILE is "${path}": neither a built-in profile (${[...builtIn.keys()].join(', ')}) nor a file`,
    );
  let loaded: { default?: unknown; profile?: unknown };
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WireProfileError(`WIRE_PROFILE is "${path}": the module does not load: ${reason}`);
  }
  const profile = loaded.default ?? loaded.profile;
  const problems = problemsOf(profile);
  if (problems.length > 0)
    throw new WireProfileError(
      `WIRE_PROFILE is "${path}": export a wire profile as "default" or "profile"; this one lacks ${problems.join(', ')}`,
    );
  return profile as WireProfile;
}
