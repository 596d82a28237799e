import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, beforeAll, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { testDataConverter } from '../support/codec.js';
import { devServer, type TestDevServer } from '../support/engine.js';
import { reservationWorker } from '../support/reservations.js';
import { platformOf, stories } from '../support/stories.js';

// `npm run record-histories`: plays every story on a real engine and keeps its histories, one file per run of it,
// encrypted under a public test key as those of a deployment are under its own.
const folder = fileURLToPath(new URL(`./histories/${manifest.version}/`, import.meta.url));
let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer(testDataConverter);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
});
afterAll(() => engine?.stop());

for (const [name, story] of Object.entries(stories)) {
  it(`records ${name}`, async () => {
    const platform = platformOf(story, engine.client);
    const { whileRunning, reservation } = await reservationWorker(engine, platform);
    const rental = reservation(story.start);
    await whileRunning(async () => {
      await story.play(rental, platform);
      await keepHistories(name, story.workflowId ?? rental.handle.workflowId);
    });
  });
}

/** One file per run of the chain, oldest first. */
async function keepHistories(name: string, workflowId: string): Promise<void> {
  const { workflow } = engine.client;
  let runId = (await workflow.getHandle(workflowId).describe()).raw.workflowExecutionInfo?.firstRunId;
  for (let run = 1; runId; run++) {
    const history = await workflow.getHandle(workflowId, runId).fetchHistory();
    const file = run === 1 ? `${name}.json` : `${name}.${run}.json`;
    await writeFile(folder + file, `${historyToJSON(history)}\n`);
    runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
}
