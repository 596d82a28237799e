import { afterAll, beforeAll, it } from 'vitest';
import { contraryProfile } from '../profiles/contrary.js';
import { type Market, marketOf, playADay } from '../support/market.js';

const { start } = marketOf(contraryProfile);
let market: Market;
beforeAll(async () => {
  market = await start();
}, 120_000);
afterAll(() => market?.stop());

it('F79: two deployments serve one market under the contrary profile too', async () => {
  await playADay(market);
}, 120_000);
