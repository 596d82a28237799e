import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createLogger } from '../../src/log.js';
import {
  openStage,
  readScenario,
  runScenario,
  type Stage,
  timeSkippingEngine,
} from '../../src/rehearse/index.js';
import { publicTestKey } from '../support/codec.js';
import { workflowBundle } from '../support/engine.js';
import { installTestRuntime } from '../support/engine-log.js';

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url));
const scenarios = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readScenario(readFileSync(folder + name, 'utf8'), `scenarios/${name}`));

let stage: Stage;
beforeAll(async () => {
  installTestRuntime();
  const keys = [publicTestKey];
  stage = await openStage({
    engine: () => timeSkippingEngine(inject('testServerPath'), keys),
    keys,
    log: createLogger('error'),
    bundle: workflowBundle(),
  });
});
afterAll(() => stage?.close());

for (const scenario of scenarios) {
  it(`${scenario.rules.join(', ')}: ${scenario.title} (${scenario.file})`, async () => {
    const { failures } = await runScenario(stage, scenario);
    expect(failures).toEqual([]);
  });
}
