import { Unjudged } from '../../src/inbox/relay/unjudged.js';

/** For relays whose engine gives no verdict: signals without one have no limit. */
export const withoutVerdicts = (): Unjudged =>
  new Unjudged({ most: Number.POSITIVE_INFINITY, selectStillSent: async () => [] });
