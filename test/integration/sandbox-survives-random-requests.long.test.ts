import { expect, it } from 'vitest';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { contraryProfile } from '../profiles/contrary.js';
import { ownDatabase } from '../support/database.js';
import { fuzzSandbox } from '../support/sandbox-fuzz.js';

const server = process.env.HANDOVER_TEST_DATABASE_URL;
const database = server === undefined ? undefined : ownDatabase(server);

it.each([defaultProfile, contraryProfile])(
  '10,000 random requests under the $name profile: no 5xx, no hang, no broken invariant',
  async (profile) => {
    const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
    console.info(`FUZZ_SEED=${seed} repeats this run`);
    const { answered, succeeded } = await fuzzSandbox({ profile, atLeast: 10_000, seed });
    // nearly every operation got through to what it does, so the invariants were put to the test
    const never = Object.keys(profile.operations).filter((name) => !succeeded.has(name));
    expect(never.length, never.join(', ')).toBeLessThan(5);
    expect(answered[200]).toBeGreaterThan(1000);
    expect(answered[400]).toBeGreaterThan(1000);
  },
);

it.skipIf(server === undefined)(
  '10,000 random requests on Postgres, several at a time: no 5xx, no hang, no broken invariant',
  async () => {
    const databaseUrl = (await database?.()) ?? '';
    const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
    console.info(`FUZZ_SEED=${seed} repeats this run`);
    await fuzzSandbox({ profile: defaultProfile, atLeast: 10_000, seed, databaseUrl });
  },
);
