import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { runScenario } from '../../src/tools/rehearse/play/run.js';
import { toText } from '../../src/tools/rehearse/print.js';
import { realServerEngine } from '../../src/tools/rehearse/stage/real-server.js';
import type { Stage } from '../../src/tools/rehearse/stage/stage.js';
import { publicTestKey } from '../support/codec.js';
import { openTestStage, scenarios } from '../support/stage.js';

let stage: Stage;
beforeAll(async () => {
  const server = inject('devServerPath');
  stage = await openTestStage(() => realServerEngine(server, [publicTestKey]));
});
afterAll(() => stage?.close());

const real = scenarios.filter((scenario) => scenario.real);
it.each(real.map((scenario) => ({ scenario, title: scenario.title })))(
  '$title',
  { timeout: 120_000 },
  async ({ scenario }) => {
    const rehearsal = await runScenario(stage, scenario);
    expect(rehearsal.passed, toText(rehearsal)).toBe(true);
  },
);
