import { join } from 'node:path';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.js';
import { fleetOf } from '../startup/fleet.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';

/** Starts the sandbox platform; `receiver` gets its callbacks unless the environment names another address. */
export function startSandboxPart(
  { config, profile, log }: Setting,
  stack: Stack,
  { port, receiver }: { port: number; receiver?: string },
): Promise<RunningSandbox> {
  const { databaseUrl, keys, callbackUrl = receiver, callbackSecret, fleet } = config.sandbox;
  return stack.start(
    'sandbox',
    () =>
      startSandbox({
        host: config.http.host,
        port,
        folder: join(config.dataDir, 'sandbox-db'),
        databaseUrl,
        profile,
        keys,
        callback: callbackUrl === undefined ? undefined : { url: callbackUrl, secret: callbackSecret },
        fleet: fleetOf(fleet),
        logger: log,
      }),
    (sandbox) => sandbox.close(),
  );
}
