import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { printed, realServerEngine, runScenario, type Stage } from '../../src/rehearse/index.js';
import { publicTestKey } from '../support/codec.js';
import { openTestStage, scenarios } from '../support/stage.js';

let stage: Stage;
beforeAll(async () => {
  const server = inject('devServerPath');
  stage = await openTestStage(() => realServerEngine(server, [publicTestKey]));
});
afterAll(() => stage?.close());

it.each(scenarios.filter(({ real }) => real).map((scenario) => ({ scenario, title: scenario.title })))(
  '$title',
  { timeout: 60_000 },
  async ({ scenario }) => {
    const rehearsal = await runScenario(stage, scenario);
    expect(rehearsal.passed, printed(rehearsal)).toBe(true);
  },
);
