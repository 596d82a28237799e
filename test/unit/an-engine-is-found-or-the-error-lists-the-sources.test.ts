import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cachedBinary, cacheRoot, fillCache } from '../../src/temporal/server/provision/cache.js';
import { engines } from '../../src/temporal/server/provision/engines.js';
import { provideEngine } from '../../src/temporal/server/provision/provide.js';
import { EngineNotFoundError, firstFound, type Source } from '../../src/temporal/server/provision/sources.js';

const spec = engines['dev-server'];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handover-provision-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function executable(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, 0o755);
  return path;
}

const envOf = (extra: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: join(folder, 'bin'),
  XDG_CACHE_HOME: join(folder, 'cache'),
  ...extra,
});

describe('the search order', () => {
  it('an explicit path comes before PATH, PATH before the cache', async () => {
    const env = envOf({});
    const cached = await executable(cachedBinary(cacheRoot(env), spec));
    expect(await provideEngine('dev-server', { env })).toBe(cached);
    const onPath = await executable(join(folder, 'bin', 'temporal'));
    expect(await provideEngine('dev-server', { env })).toBe(onPath);
    const explicit = await executable(join(folder, 'mine'));
    expect(await provideEngine('dev-server', { env: { ...env, TEMPORAL_CLI_PATH: explicit } })).toBe(
      explicit,
    );
  });

  it('the time-skipping server is not searched on PATH', async () => {
    const env = envOf({});
    await executable(join(folder, 'bin', 'temporal-test-server'));
    const cached = await executable(cachedBinary(cacheRoot(env), engines['test-server']));
    expect(await provideEngine('test-server', { env })).toBe(cached);
  });

  it('an explicit path that is no executable is an error, not a reason to search further', async () => {
    await executable(join(folder, 'bin', 'temporal'));
    const wrong = join(folder, 'nothing-here');
    const error = await provideEngine('dev-server', { env: envOf({ TEMPORAL_CLI_PATH: wrong }) }).catch(
      (e) => e,
    );
    expect(error).toBeInstanceOf(EngineNotFoundError);
    expect(error.message).toContain(`TEMPORAL_CLI_PATH is ${wrong}`);
    expect(error.message).not.toContain('\n');
  });

  it('the search stops at the first source that has an engine', async () => {
    const asked: string[] = [];
    const source = (way: string, path?: string): Source => ({
      way,
      async find() {
        asked.push(way);
        return path === undefined ? { missing: 'not there' } : { path };
      },
    });
    const path = await firstFound('engine', [source('a'), source('b', '/b'), source('c', '/c')]);
    expect([path, ...asked]).toEqual(['/b', 'a', 'b']);
  });
});

describe('nothing found', () => {
  it('the error lists every way to provide one, and why each failed', async () => {
    const sources = ['first way', 'second way'].map((way, index) => ({
      way,
      find: async () => ({ missing: `reason ${index}` }),
    }));
    const error = await firstFound('Temporal dev server', sources, 'a service of your own').catch((e) => e);
    expect(error).toBeInstanceOf(EngineNotFoundError);
    expect(error.message.split('\n')).toEqual([
      'No Temporal dev server found. Any one of these provides it:',
      '  - first way (reason 0)',
      '  - second way (reason 1)',
      '  - a service of your own',
    ]);
  });
});

describe('the cache', () => {
  const make = (content: string) => async (inFolder: string) => {
    await executable(join(inFolder, spec.binary));
    await writeFile(join(inFolder, 'made-by'), content);
  };
  const silent = () => {};

  it('is filled once when two come at the same time', async () => {
    let made = 0;
    const counting = async (inFolder: string) => {
      made++;
      await make('x')(inFolder);
    };
    const both = [fillCache(folder, spec, silent, counting), fillCache(folder, spec, silent, counting)];
    const binary = cachedBinary(folder, spec);
    await expect(Promise.all(both)).resolves.toEqual([binary, binary]);
    expect(made).toBe(1);
  });

  it('holds nothing of a build that failed, and the next one starts clean', async () => {
    const fail = async (inFolder: string) => {
      await writeFile(join(inFolder, 'half'), '');
      throw new Error('out of luck');
    };
    await expect(fillCache(folder, spec, silent, fail)).rejects.toThrow('out of luck');
    expect(await readdir(folder)).toEqual([]);
    await mkdir(join(folder, `.${spec.cacheName}-of-a-killed-process`));
    await expect(fillCache(folder, spec, silent, make('y'))).resolves.toBe(cachedBinary(folder, spec));
    expect(await readdir(folder)).toEqual([spec.cacheName]);
  });

  it('ignores a folder without the engine in it', async () => {
    await expect(fillCache(folder, spec, silent, async () => {})).rejects.toThrow(spec.binary);
  });
});
