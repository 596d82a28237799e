import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, policy, TestReservation } from '../support/reservations.js';
import { startTestWorker } from '../support/test-worker.js';

/** L48 on a real server, in real time with short periods: the clock of a time-skipping one stops while no worker runs. */
let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

const taskQueue = `while-nothing-runs-${randomUUID()}`;
const platform = new FakePlatform();

async function startWorker(): Promise<() => Promise<void>> {
  return startTestWorker({
    connection: engine.nativeConnection,
    namespace: engine.namespace,
    taskQueue,
    activities: platform.activities(),
  });
}

/** What was raised of a reservation, line by line; a step that was taken again writes the same line again. */
function raisedOf(id: number): string[] {
  const entries = platform.records.flatMap((record) => (record.reservationId === id ? record.entries : []));
  const lines = new Map(entries.map((entry) => [entry.seq, entry] as const));
  return [...lines.values()].flatMap(({ attention }) =>
    attention?.change === 'raised' ? attention.kind : [],
  );
}

it('L48: deadlines that passed while no worker ran are raised once each, with the time when they passed', async () => {
  const ladder = { lateLadderMs: [300, 600, 900], overdueGraceMs: 200, dispatchLeadMs: 200 };
  const rentals = [1, 2, 3].map(
    (id) =>
      new TestReservation(engine.client, async () => Date.now(), taskQueue, 48_000 + id, {
        policy: { ...policy, ...ladder },
      }),
  );
  const [inUse, noShow, retried] = rentals as [TestReservation, TestReservation, TestReservation];
  const stop = await startWorker();
  const start = Date.now() + 8_000;
  const period = { start, end: start + 1_000 };
  const fact = (status: number, when = period) => ({ status, period: when, car, company });
  await inUse.deliver(inUse.event(fact(20)));
  await noShow.deliver(noShow.event(fact(10)));
  await retried.deliver(retried.event(fact(5, { start, end: start + 3_600_000 })));
  platform.answers.push({ kind: 'unknown', code: 'TIMEOUT' });
  const { command } = await retried.sendAction('dispatch.start', { override: { reason: 'staff knows' } });
  expect(command.outcome).toBe('unknown');
  await eventually('all three are recorded', () => platform.records.length >= 3);
  await stop();
  expect(Date.now(), 'the worker has stopped before the first deadline').toBeLessThan(start);
  expect(rentals.flatMap(({ id }) => raisedOf(id))).toEqual([]);

  await eventually('every deadline has passed', () => Date.now() > period.end + 1_500, 30_000);
  const startAgain = await startWorker();
  try {
    await eventually(
      'both are reported',
      () => [inUse, noShow].every(({ id }) => raisedOf(id).length > 0),
      30_000,
    );
    await eventually('the try that was due is made', () => platform.attempts.length === 2, 30_000);
    expect(raisedOf(inUse.id)).toEqual(['return-late']);
    expect(raisedOf(noShow.id).toSorted()).toEqual(['callback-overdue', 'handover-late']);
    expect((await inUse.view()).attention).toMatchObject([{ kind: 'return-late', since: isoOf(period.end) }]);
    expect((await retried.view()).commands).toMatchObject([{ outcome: 'applied', attempts: 2 }]);
    expect(platform.attempts).toHaveLength(2);
  } finally {
    for (const { handle } of rentals) await handle.terminate('the test is over');
    await startAgain();
  }
}, 90_000);

/** As views write it, in the policy's zone. */
function isoOf(at: number): string {
  return new Date(at + policy.zoneOffsetMinutes * 60_000).toISOString().replace('Z', '+09:00');
}
