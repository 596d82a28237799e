import { afterAll, beforeAll, expect, it } from 'vitest';
import { devServer, type TestDevServer } from '../support/engine.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, policy, reservationWorker } from '../support/reservations.js';

/** On a real server: messages come while a run ends, and the end has to be taken back. */
let env: TestDevServer;
beforeAll(async () => {
  env = await devServer();
});
afterAll(() => env?.stop());

it('no signal and no update is lost or applied twice while runs end one after the other', async () => {
  const platform = new FakePlatform();
  const { reservation, whileRunning } = await reservationWorker(env, platform);
  const rental = reservation({ policy: { ...policy, historyEventsPerRun: 1 } });
  await whileRunning(async () => {
    const start = Date.now() + 2 * hour;
    const period = { start, end: start + 4 * hour };
    const news = (memo: string) => rental.event({ status: 5, period, car, company, pickupMemo: memo });
    await rental.deliver(news('first'));
    const runs = new Set<string>();
    const events = Array.from({ length: 60 }, (_, index) => news(`memo ${index}`));
    for (const [index, event] of events.entries()) {
      const acted =
        index % 6 === 0 ? [rental.sendAction('dispatch.staff', { commandId: `command ${index}` })] : [];
      await Promise.all([rental.deliver(event), ...acted]);
      if (index % 4 === 0) await expect.poll(() => judged(platform).has(event.inboxId)).toBe(true);
      runs.add((await rental.handle.describe()).runId);
    }
    await expect.poll(() => events.every(({ inboxId }) => judged(platform).has(inboxId))).toBe(true);
    expect(platform.attempts).toHaveLength(events.length / 6);
    expect(linesAbout(platform).toSorted()).toEqual([...judged(platform)].toSorted());
    expect(runs.size).toBeGreaterThan(10);
  });
}, 60_000);

const judged = ({ records }: FakePlatform) =>
  new Set(records.flatMap(({ verdicts }) => verdicts.map(({ inboxId }) => inboxId)));

/** The events that the timeline shows, in order; of an entry that was written again the last one counts, as in the database. */
function linesAbout({ records }: FakePlatform): unknown[] {
  const lines = new Map(
    records.flatMap(({ entries }) => entries.map((entry) => [entry.seq, entry] as const)),
  );
  const kept = [...lines.values()].toSorted((a, b) => a.seq - b.seq);
  expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index + 1));
  return kept.filter(({ kind }) => kind === 'event').map(({ data }) => data.inboxId);
}
