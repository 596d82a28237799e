import { afterAll, beforeAll, expect, it } from 'vitest';
import { devServer, type TestDevServer } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { FakePlatform } from '../support/fake-platform.js';
import { car, company, hour, TestReservation } from '../support/reservations.js';
import { startTestWorker } from '../support/test-worker.js';

let engine: TestDevServer;
beforeAll(async () => {
  engine = await devServer();
});
afterAll(() => engine?.stop());

it('a run that passes rows directly loses none where its next worker does not offer that (CODEC_DATA_KEYS=off)', async () => {
  const platform = new FakePlatform();
  const taskQueue = 'handed-on';
  const start = (offersSink: boolean) =>
    startTestWorker({
      connection: engine.nativeConnection,
      namespace: engine.namespace,
      taskQueue,
      activities: platform.activities(),
      offersSink,
    });
  const rental = new TestReservation(engine.client, async () => Date.now(), taskQueue, 77_001);
  const period = { start: Date.now() + 2 * hour, end: Date.now() + 12 * hour };
  const events = [5, 10, 15, 20].map((status) => rental.event({ status, period, car, company }));
  // a car that is out is cancelled: an attention item
  const alarming = rental.event({ status: 40 });
  const last = rental.event({ status: 25, period, car, company });
  const judged = () => platform.records.flatMap(({ verdicts }) => verdicts.map(({ inboxId }) => inboxId));
  const markers = async () => {
    const { events: history } = await rental.handle.fetchHistory();
    return (history ?? []).filter((event) => event.markerRecordedEventAttributes != null).length;
  };
  let applied = 0;
  const apply = async (...some: typeof events) => {
    for (const event of some) {
      await rental.deliver(event);
      applied += 1;
      await eventually('its rows are stored', () => judged().length === applied);
    }
  };

  const stopFirst = await start(true);
  await apply(...events.slice(0, 2));
  await stopFirst();
  const before = await markers();
  const stopNext = await start(false);
  await apply(...events.slice(2));
  const direct = await markers();
  await apply(alarming);
  // its rows are stored before the task, and so the marker, is in the history
  await eventually('a worker that does not offer it answers so', async () => (await markers()) === 1);
  await apply(last);
  await eventually('that ends the direct rows', async () => (await markers()) === 2);
  await stopNext();
  expect(judged()).toEqual([...events, alarming, last].map(({ inboxId }) => inboxId));
  expect([before, direct], 'what its start offered holds').toEqual([0, 0]);
});
