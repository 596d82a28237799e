import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { eventually } from '../support/eventually.js';
import { type Market, marketOf, playADay } from '../support/market.js';

const { start } = marketOf(defaultProfile);
let market: Market;
beforeAll(async () => {
  market = await start();
}, 120_000);
afterAll(() => market?.stop());

it('F79: the channel books, and the supplier dispatches and recalls, also after it was down', async () => {
  await playADay(market);
}, 120_000);

it('F72: a forwarded event whose answer is lost is sent again, and is one event', async () => {
  const { between, supplier, received, waiting } = market;
  // of the day before another event may still be on its way
  between.loseNext(defaultProfile.callbacks.paths.registration);
  const id = await market.booked();
  await market.reaches(supplier, id, 5);
  const twice = async () => (await received()).find((row) => row.reservationId === id && row.copies === 2);
  expect((await eventually('it came again', twice)).channel).toBe('registration');
  await eventually('nothing waits', async () => (await waiting()) === 0);
  const { body } = await supplier.ask('GET', `/api/reservations/${id}/timeline`);
  expect(body.items.filter(({ kind }: { kind: string }) => kind === 'event')).toHaveLength(1);
}, 60_000);
