import { taskQueue } from '../../src/contract/names.js';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createCaseFiles } from '../../src/store/reservations/case-files.js';
import { createOpenRows } from '../../src/store/reservations/open-rows.js';
import { createRecorder } from '../../src/store/reservations/record.js';
import { publicTestKey, testDataConverter } from './codec.js';
import { FakePlatform } from './fake-platform.js';
import type { HandoverParts } from './handover-parts.js';
import { sealer } from './intake.js';
import { startTestWorker } from './test-worker.js';

/** A worker of the product's own rows and case files around a fake platform. @returns what stops it */
export async function startRecordingWorker(
  { engine }: HandoverParts,
  { db }: HandoverDatabase,
): Promise<() => Promise<void>> {
  return startTestWorker({
    connection: engine.nativeConnection,
    namespace: engine.namespace,
    taskQueue,
    dataConverter: testDataConverter,
    activities: {
      ...new FakePlatform().activities(),
      record: createRecorder(db, createOpenRows(sealer, [publicTestKey])),
      closeCase: createCaseFiles(db, sealer, [publicTestKey]).close,
    },
  });
}
