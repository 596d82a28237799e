import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { scanActivities } from '../../../../activities/scan.js';
import type { PlatformClient } from '../../../../src/platform/client/index.js';
import { PlatformCallError } from '../../../../src/platform/errors.js';
import { ReconciliationWatch } from '../../../../src/store/findings/watch.js';
import { noRoles } from '../../../support/roles.js';

const minute = 60_000;
const began = Date.parse('2026-11-22T00:00:00Z');

function watching(everyMs: number | null) {
  const open = new Set<string>();
  const alerts = {
    raise: async ({ kind }: { kind: string }) => open.size < open.add(kind).size,
    clear: async ({ kind }: { kind: string }) => open.delete(kind),
  };
  return { open, watch: new ReconciliationWatch(alerts, everyMs, began) };
}

it('F51: a reconciliation that never starts, or does not end, is reported half an hour after its turn', async () => {
  for (const completedAt of [null, began - 500 * minute, began + minute]) {
    const { open, watch } = watching(15 * minute);
    const counted = Math.max(completedAt ?? began, began);
    await watch.check(completedAt, counted + 44 * minute);
    expect([...open]).toEqual([]);
    await watch.check(completedAt, counted + 45 * minute);
    expect([...open]).toEqual(['reconciliation-stuck']);
  }
});

it('F51: a reconciliation that completes its turns is not reported', async () => {
  const { open, watch } = watching(15 * minute);
  for (let at = began; at < began + 300 * minute; at += minute) {
    await watch.check(at - (at % (15 * minute)), at);
  }
  expect([...open]).toEqual([]);
});

it('F51: a reconciliation that is switched off has no alert', async () => {
  const { open, watch } = watching(null);
  open.add('reconciliation-stuck').add('undiscovered-reservations').add('hold-stuck');
  await watch.check(null, began + 900 * minute);
  expect([...open]).toEqual(['hold-stuck']);
});

it.each([
  { asked: 24 * 60 * minute, waits: 5 * minute },
  { asked: minute, waits: minute },
])('a Retry-After of $asked ms delays a scan by $waits ms', async ({ asked, waits }) => {
  const platform = {
    listProducts: async () => {
      throw new PlatformCallError('RATE_LIMITED', 'later', {
        operation: 'listProducts',
        retryAfterMs: asked,
      });
    },
  } as unknown as PlatformClient;
  const { listProductIds } = scanActivities(platform, noRoles);
  await expect(new MockActivityEnvironment().run(listProductIds)).rejects.toMatchObject({
    type: 'RATE_LIMITED',
    nextRetryDelay: waits,
  });
});
