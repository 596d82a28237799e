import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createLogger, type Logger } from '../../src/app/log.js';
import { readScenario, type Scenario } from '../../src/tools/rehearse/format/read.js';
import { type StageEngine, timeSkippingEngine } from '../../src/tools/rehearse/stage/engine.js';
import { openStage, type Stage } from '../../src/tools/rehearse/stage/stage.js';
import { publicTestKey } from './codec.js';
import { workflowBundle } from './engine.js';
import { installTestRuntime } from './engine-log.js';

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url));

/** Every file of `scenarios/`, by name. */
export const scenarios: readonly Scenario[] = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .map((name) => readScenario(readFileSync(folder + name, 'utf8'), `scenarios/${name}`));

export const nameOf = ({ file }: Scenario): string => file.replace(/^.*\/|\.yaml$/g, '');

/**
 * A stage over the run's bundle, its histories under the public test key.
 * @param testServer path of the time-skipping server, or an engine of its own
 */
export function openTestStage(
  testServer: string | (() => Promise<StageEngine>),
  log: Logger = createLogger('error'),
): Promise<Stage> {
  installTestRuntime();
  const keys = [publicTestKey];
  const engine = typeof testServer === 'string' ? () => timeSkippingEngine(testServer, keys) : testServer;
  return openStage({ engine, keys, log, bundle: workflowBundle() });
}
