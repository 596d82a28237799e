import type { Client } from '@temporalio/client';
import type { OpenTemporal } from '../../temporal/client/create-client.js';
import { scheduleReconciliation } from '../../temporal/client/reconciliation.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';

/**
 * Creates the Schedule of the reconciliation at each connection to Temporal, which may have lost its state. A stop waits for
 * a creation that is running.
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

/** Creates the Schedule; where Temporal refuses it, logs that and lets everything else run. */
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
