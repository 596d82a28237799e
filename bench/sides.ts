import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CallbackWatch } from './callback-watch.js';
import { endPrograms } from './child.js';
import { startFloor } from './floor.js';
import { Lifecycles } from './lifecycle.js';
import type { BenchOptions } from './options.js';
import { buildOther } from './other-build.js';
import { startProduct } from './product.js';
import type { Side } from './round.js';
import { startSandboxProgram } from './sandbox-program.js';
import type { Target } from './target.js';

type Start = (options: Parameters<typeof startFloor>[0] & { callbackUrl: string }) => Promise<Target>;

/** Addresses of databases on a server; absent: the embedded one. */
export interface Databases {
  product?: string;
  compared?: string;
}

/**
 * Starts the product, the compared commit and the floor, each with its own engine and platform. This process is the
 * client of all of them.
 * @param sides receives each side as soon as it runs
 * @throws Error where one of them does not start; the others have ended by then
 */
export async function startSides(
  folder: string,
  options: BenchOptions,
  sides: Side[],
  databases: Databases = {},
): Promise<void> {
  const other = options.compare && (await buildOther(options.compare, join(folder, 'builds')));
  const add = async (name: string, start: Start) => {
    sides.push(await startSide(start, join(folder, name), options));
  };
  await add('product', (how) => startProduct({ ...how, env: databaseAt(databases.product) }));
  if (other) {
    const settings = { build: other, name: 'compared-product', env: databaseAt(databases.compared) };
    await add('compared', async (how) => ({
      ...(await startProduct({ ...how, ...settings })),
      name: other.name,
    }));
  }
  await add('floor', startFloor);
}

function databaseAt(url: string | undefined): Record<string, string> {
  return url === undefined ? {} : { DATABASE_URL: url };
}

async function startSide(
  start: Start,
  folder: string,
  { concurrency, cpuProf }: BenchOptions,
): Promise<Side> {
  await mkdir(folder, { recursive: true });
  const callbacks = new CallbackWatch();
  try {
    const callbackUrl = await callbacks.listen();
    const sandbox = await startSandboxProgram(folder, callbackUrl);
    const started = await start({ folder, callbackUrl, sandbox, cpuProf });
    const target = { ...started, processes: { ...started.processes, sandbox: sandbox.pid } };
    callbacks.handTo(target.receiverUrl, concurrency);
    const lifecycles = new Lifecycles(target, concurrency);
    const stop = async () => {
      await lifecycles.close();
      await callbacks.close();
      await target.stop();
      await sandbox.stop();
    };
    return { target, lifecycles, callbacks, stop };
  } catch (error) {
    await callbacks.close();
    await endPrograms();
    throw error;
  }
}
