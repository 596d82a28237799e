import type { Client } from '@temporalio/client';
import type { OpenTemporal } from '../../temporal/client/open.js';
import { scheduleReconciliation } from '../../temporal/client/reconciliation.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';

/**
 * Sees to the Schedule of the reconciliation at each connection to Temporal: one that lost its state has none. Stopped: waits
 * for what is under way.
 */
export async function startReconcilingPart(
  setting: Setting,
  stack: Stack,
  { client, monitor }: Pick<OpenTemporal, 'client' | 'monitor'>,
): Promise<void> {
  let last = Promise.resolve();
  await stack.start(
    'Schedule of the reconciliation',
    async () =>
      monitor.onConnected(() => {
        last = last.then(() => startReconciling(setting, client));
      }),
    () => last,
  );
}

/** The same, for a worker: where Temporal does not take it the log says so, and everything else runs. */
async function startReconciling({ config, profile, log }: Setting, client: Client): Promise<void> {
  try {
    await scheduleReconciliation(client, config, profile);
  } catch (error) {
    log.error(
      { err: error },
      'Temporal did not accept the Schedule of the reconciliation; the next connection tries again',
    );
  }
}
