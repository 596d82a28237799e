import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanActivities } from '../../activities/scan.js';
import { scanQueueOf } from '../../src/contract/names.js';
import { reconciliationId } from '../../src/contract/reconciliation.js';
import { roleWorkflow, roleWorkflowId, suspendedSignal } from '../../src/contract/role.js';
import { timeSkippingEnv } from '../support/engine.js';
import { fewDays } from '../support/reconciliation-stories.js';
import { reservationWorker } from '../support/reservations.js';
import { GuardedPlatform } from '../support/suspended-role.js';

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await timeSkippingEnv();
});
afterAll(() => env?.teardown());

/** Its readings of the schedule are refused with the key. */
class RefusingScans extends GuardedPlatform {
  override scanActivities() {
    const { listProductIds } = scanActivities(this.asClient(), this.roles());
    return { readScheduleSlice: () => listProductIds() };
  }
}

/** Time is not skipped here: the key is tried often. */
const soon = { probeMs: 200, historyEventsPerRun: 4_000 };
const supplier = () => env.client.workflow.getHandle(roleWorkflowId('supplier'));
const isOver = async () => (await supplier().describe()).status.name === 'COMPLETED';

it('L30: a key that a scan finds refused is reported and probed, and the waiting commands are sent once it works', async () => {
  const platform = new RefusingScans(env.client, soon);
  platform.refusal = () => 'UNAUTHORIZED';
  const { whileRunning, reservation } = await reservationWorker(env, platform);
  const rental = reservation();
  await whileRunning(async () => {
    // expected from the start: it may fail before the call that ends it has returned
    const readingEnded = expect(rental.reconcile(fewDays)).rejects.toThrow();
    try {
      await expect.poll(() => platform.alerts.open).toMatchObject([{ subject: 'supplier' }]);
      expect((await supplier().describe()).taskQueue).toBe(platform.queue);
      platform.refusal = () => undefined;
      await expect.poll(isOver).toBe(true);
      expect(platform.alerts.open).toEqual([]);
    } finally {
      await platform.endRole('supplier');
      await env.client.workflow.getHandle(reconciliationId).terminate('the test is over');
      await readingEnded;
    }
  });
});

it('L30: a role that 0.2.0 started on a queue without workflow workers is moved, with all reservations that wait for it', async () => {
  const platform = new GuardedPlatform(env.client, soon);
  const restored: number[] = [];
  const activities = platform.activities.bind(platform);
  platform.activities = () => ({
    ...activities(),
    restoreReservations: async (ids) => void restored.push(...ids),
  });
  const { whileRunning } = await reservationWorker(env, platform);
  const stranded = (reservationId: number | null) =>
    env.client.workflow.signalWithStart(roleWorkflow, {
      workflowId: roleWorkflowId('supplier'),
      taskQueue: scanQueueOf(platform.queue),
      args: [{ role: 'supplier', ...platform.roles().settings }],
      signal: suspendedSignal,
      signalArgs: [{ reservationId, code: 'UNAUTHORIZED' }],
    });
  await whileRunning(async () => {
    try {
      for (const id of [null, 41, 42, 41]) await stranded(id);
      await activities().suspendRole({ role: 'supplier', reservationId: 43, code: 'UNAUTHORIZED' });
      expect((await supplier().describe()).taskQueue).toBe(platform.queue);
      await expect.poll(isOver).toBe(true);
      expect(restored.toSorted()).toEqual([41, 42, 43]);

      await stranded(44);
      // a process that died after it had ended the stranded run
      await supplier().terminate('moved');
      expect(await platform.roles().moveStranded('supplier')).toBe(true);
      await expect.poll(isOver).toBe(true);
      expect(restored).toContain(44);
      expect(await platform.roles().moveStranded('supplier')).toBe(false);
    } finally {
      await platform.endRole('supplier');
    }
  });
});
