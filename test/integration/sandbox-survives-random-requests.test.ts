import { expect, it } from 'vitest';
import { fuzzSandbox } from '../support/sandbox-fuzz.js';
import { wireProfiles } from '../support/wire-profiles.js';

it.each(wireProfiles)(
  'a sample of random requests under the $name profile: no 5xx, no hang, no broken invariant',
  async (profile) => {
    const { answered } = await fuzzSandbox({ profile, atLeast: 100, seed: 20_261_121 });
    expect(Object.keys(answered)).toContain('200'); // it got past the first checks
    expect(answered[400]).toBeGreaterThan(25);
  },
  60_000,
);
