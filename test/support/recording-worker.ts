import { createCaseFiles } from '../../src/cases/case-files.js';
import { taskQueue } from '../../src/contract/names.js';
import type { HandoverDatabase } from '../../src/db/handover.js';
import { createWorker } from '../../src/engine/worker.js';
import { createRecorder } from '../../src/intake/record.js';
import { testDataConverter } from './codec.js';
import { workflowBundle } from './engine.js';
import type { HandoverParts } from './handover-parts.js';
import { sealer } from './intake.js';
import { FakePlatform } from './reservations.js';

/** A worker of the product's own rows and case files around a fake platform. @returns what stops it */
export async function startRecordingWorker(
  { engine }: HandoverParts,
  { db }: HandoverDatabase,
): Promise<() => Promise<void>> {
  const worker = await createWorker({
    connection: engine.nativeConnection,
    namespace: engine.namespace,
    taskQueue,
    bundle: workflowBundle(),
    dataConverter: testDataConverter,
    activities: {
      ...new FakePlatform().activities(),
      record: createRecorder(db),
      closeCase: createCaseFiles(db, sealer).close,
    },
    shutdownGraceMs: 1_000,
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}
