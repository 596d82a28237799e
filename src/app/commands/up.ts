import { setTimeout as sleep } from 'node:timers/promises';
import { deferred } from '../../domain/shared/deferred.js';
import { holdEngine } from '../parts/data-folder.js';
import { superviseEngine } from '../parts/engine.js';
import { describeFailure } from '../startup/failure.js';
import { embeddedFirstSetting, type FirstSetting } from '../startup/first-setting.js';
import type { Stack } from '../startup/stack.js';
import { printLine, untilStopped } from '../startup/until-stopped.js';
import { startTracing } from '../tracing/open.js';
import { planPlaces } from './up-places.js';

export interface UpOptions {
  env: NodeJS.ProcessEnv;
  demo: boolean;
  /** Pause between two moves of one of the demo's stories. */
  demoPaceMs?: number;
}

/** Most that the other parts wait for the engine's process: to provide an engine takes minutes where it must be downloaded. */
const launchedWithinMs = 1_000;

/** `handover up`: everything in this process, until Ctrl-C. Resolves when all is stopped. */
export async function runUp({ demo, demoPaceMs, env }: UpOptions): Promise<void> {
  const begun = Date.now();
  const setting = await embeddedFirstSetting(env);
  const stopDemo = new AbortController();
  let playing: Promise<void> | undefined;
  await untilStopped(
    setting,
    async (stack) => {
      const running = await startAll(setting, stack, begun);
      if (demo) {
        playing = import('../../tools/demo/command.js')
          .then(({ showDemo }) => showDemo(running, { signal: stopDemo.signal, paceMs: demoPaceMs }))
          .catch((error) => printLine(`  The demo does not play: ${describeFailure(error)}`));
      }
    },
    {
      async onStopping() {
        printLine('\n  Stopping …');
        stopDemo.abort();
        await playing;
      },
      onImpatience: () => printLine('  Stopped at once; what was under way continues at the next start.'),
    },
  );
  printLine('  Stopped. The next start continues here.');
}

async function startAll(given: FirstSetting, stack: Stack, begun: number) {
  // Reserved first, so that a port in use is reported before anything runs.
  if (!given.config.temporal.external) await holdEngine(given, stack);
  const places = await planPlaces(given);
  const tracing = await startTracing(given.env, { stack, log: given.log, part: 'up' });
  const { enginePorts: ports, codecEndpoint } = places;
  const { promise: launched, resolve: onLaunched } = deferred();
  const startingEngine =
    ports && superviseEngine(given, stack, { onProgress: printLine, ports, codecEndpoint, onLaunched });
  startingEngine?.catch(() => {}); // awaited by the other parts
  // loading their modules blocks this process for as long as the engine needs to start: so its process begins first
  if (startingEngine) await Promise.race([launched, startingEngine, sleep(launchedWithinMs)]);
  stack.throwIfStopping('parts beside the engine');
  const { startParts } = await import('./up-parts.js');
  return startParts(places, stack, { startingEngine, tracing, begun });
}
