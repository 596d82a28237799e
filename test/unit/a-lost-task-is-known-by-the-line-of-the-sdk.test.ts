import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { lostTask, temporalLogger } from '../../src/temporal/worker/runtime.js';

// of the version that the SDK's worker uses
const sdk = createRequire(createRequire(import.meta.url).resolve('@temporalio/worker'));

it('a lost workflow task is known by its line in the log, and by no other', () => {
  const onLostTask = vi.fn();
  const log = temporalLogger(pino({ level: 'silent' }), onLostTask);
  log.error('Failing workflow task');
  expect(onLostTask).not.toHaveBeenCalled();
  log.error(lostTask);
  expect(onLostTask).toHaveBeenCalledOnce();
});

it('the SDK still writes this line: one that does not has another way, or has its defect no more', () => {
  const core = dirname(sdk.resolve('@temporalio/core-bridge/package.json'));
  const file = join(core, 'sdk-core/crates/sdk-core/src/worker/workflow/workflow_stream.rs');
  expect(readFileSync(file, 'utf8')).toContain(lostTask);
});
