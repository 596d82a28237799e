import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from './stack.js';

/** Written again every few seconds by a worker that polls; a container's health check looks at its age. */
export const heartbeatFile = join(tmpdir(), 'handover-worker.alive');

const everyMs = 5_000;

/** Shows that this process polls, for as long as it does: a worker has no port to ask at. */
export function startHeartbeat(
  stack: Stack,
  isPolling: () => boolean,
  file = heartbeatFile,
): Promise<unknown> {
  return stack.start(
    'heartbeat',
    async () => {
      const stop = new AbortController();
      return { stop, beating: beat(file, isPolling, stop.signal) };
    },
    async ({ stop, beating }) => {
      stop.abort();
      await beating;
      await rm(file, { force: true });
    },
  );
}

async function beat(file: string, isPolling: () => boolean, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // a full disk makes the worker look dead, which it soon will be
    if (isPolling()) await writeFile(file, `${process.pid}\n`).catch(() => {});
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}
