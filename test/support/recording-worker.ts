import { taskQueue } from '../../src/contract/names.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { createWorker } from '../../src/temporal/worker/worker.js';
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
