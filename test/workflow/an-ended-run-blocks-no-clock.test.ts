import { expect, it } from 'vitest';
import { timeSkippingEnv } from '../support/engine.js';
import { day } from '../support/reservations.js';
import { releaseLostTimeLocks } from '../support/skipped-time.js';

it('a run that a test ends with a task under way does not block the clock of the next test', async () => {
  const env = await timeSkippingEnv();
  try {
    const run = await env.client.workflow.start('any', { workflowId: 'one', taskQueue: 'no-worker' });
    await run.terminate('with its first task on its way');
    await releaseLostTimeLocks(env);

    const before = await env.currentTimeMs();
    await env.sleep(day);
    const after = await env.currentTimeMs();
    expect(after).toBeGreaterThanOrEqual(before + day);
    // still locked while no test sleeps
    expect(after).toBeLessThan(before + 2 * day);
  } finally {
    await env.teardown();
  }
});
