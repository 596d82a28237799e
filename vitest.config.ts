import { defineConfig } from 'vitest/config';

const long = process.env.HANDOVER_TEST_LONG === '1';
/** In both lanes, under another wire profile in each (`test/support/wire-profiles.ts`). */
const inBothLanes = [
  'a-hold-takes-a-car-out-of-service',
  'a-late-car-and-a-noted-one',
  'a-lost-booking-is-one-reservation',
  'the-fleet-is-read-and-written',
  'the-schedule-is-reconciled',
].map((name) => `test/integration/${name}.test.ts`);
const filesOf = (folder: string) => [`test/${folder}/**/*${long ? '.long' : ''}.test.ts`];
const exclude = long ? [] : ['**/*.long.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // two cores: engines and databases of the tests want their share
    maxWorkers: 2,
    // a second, the default, is short on a busy machine; what is waited for comes, or never does
    expect: { poll: { timeout: 15_000 } },
    projects: [
      // pure, or over servers of their own: loading every module anew for each file would cost more than the tests
      { extends: true, test: { name: 'unit', include: filesOf('unit'), exclude, isolate: false } },
      {
        extends: true,
        test: {
          name: 'engine',
          include: [...['workflow', 'replay', 'integration'].flatMap(filesOf), ...(long ? inBothLanes : [])],
          exclude,
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: long ? 600_000 : 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
