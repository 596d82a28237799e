import { createAttempts } from '../../../src/store/attempts.js';
import type { HandoverDatabase } from '../../../src/store/handover.js';
import { createCaseFiles } from '../../../src/store/reservations/case-files.js';
import { createRecorder } from '../../../src/store/reservations/record.js';
import { createSealer } from '../../../src/store/sealing/sealer.js';
import { workflowBundle } from '../engine.js';
import { type HandoverParts, photoFolder, platformKeys } from '../handover-parts.js';
import type { DatabaseCalls, WorkerSetting } from './messages.js';
import { WorkerProcess } from './worker-process.js';

/** A worker of the parts in a process of its own, over their database; without traps by default. */
export function startTrappedWorker(
  { setting, engine, sandbox }: HandoverParts,
  { db, prompt }: HandoverDatabase,
  changes: Partial<WorkerSetting> = {},
  calls: Partial<DatabaseCalls> = {},
): Promise<WorkerProcess> {
  return WorkerProcess.start(
    {
      address: engine.address,
      namespace: engine.namespace,
      bundle: workflowBundle().codePath,
      platformUrl: sandbox.url,
      supplierKey: platformKeys.supplier,
      photos: photoFolder(setting),
      traps: { 'before-request': [], 'after-answer': [] },
      ...changes,
    },
    {
      record: createRecorder(db),
      recordHold: async () => {},
      recordAttempt: ({ id, runId }) => createAttempts(prompt).record(id, runId),
      closeCase: createCaseFiles(db, createSealer(setting.config.codec.keys), setting.config.codec.keys)
        .close,
      ...calls,
    },
  );
}
