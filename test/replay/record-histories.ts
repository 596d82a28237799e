import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { reservationWorkflowId } from '../../src/contract/names.js';
import { runScenario } from '../../src/tools/rehearse/play/run.js';
import { toText } from '../../src/tools/rehearse/print.js';
import type { Stage } from '../../src/tools/rehearse/stage/stage.js';
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { checkUnreleased, keepHistories } from '../support/golden.js';
import { reservationWorker } from '../support/reservations.js';
import { nameOf, openTestStage, scenarios } from '../support/stage.js';
import { stories } from '../support/stories.js';
import { platformOf } from '../support/story.js';

// `npm run record-histories`: plays every story on a real engine and every scenario in skipped time, and keeps their
// histories, one file per run, encrypted under a public test key as those of a deployment are under its own. Only the
// set of the current version is written again, and only before its release.
const { version } = manifest;
checkUnreleased(version);
beforeAll(() =>
  rm(fileURLToPath(new URL(`./histories/${version}/`, import.meta.url)), { recursive: true, force: true }),
);

describe('stories', () => {
  let engine: TestDevServer;
  beforeAll(async () => {
    engine = await devServer(testDataConverter, {});
  });
  afterAll(() => engine?.stop());

  it.each(Object.entries(stories))('records %s', async (name, story) => {
    const platform = platformOf(story, engine.client);
    const { whileRunning, reservation } = await reservationWorker(engine, platform);
    const rental = reservation(story.start);
    await whileRunning(async () => {
      await story.play(rental, platform);
      const workflowId = story.workflowId ?? rental.handle.workflowId;
      await keepHistories(engine.client, workflowId, { version, name });
    });
  });
});

describe('scenarios', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openTestStage(inject('testServerPath'));
  });
  afterAll(() => stage?.close());

  const skipping = scenarios.filter(({ real }) => !real);
  it.each(skipping.map((scenario) => ({ scenario, file: scenario.file })))(
    'records $file',
    async ({ scenario }) => {
      const rehearsal = await runScenario(stage, scenario, {
        onPlayed: ({ reservationId }) =>
          keepHistories(stage.engine.temporal.client, reservationWorkflowId(reservationId), {
            version,
            name: `scenarios/${nameOf(scenario)}`,
          }),
      });
      expect(rehearsal.passed, toText(rehearsal)).toBe(true);
    },
  );
});
