import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { type Lane, lanesOf, testFiles } from './test/support/lanes.js';
import { LongestFirst } from './test/support/longest-first.js';

const long = process.env.HANDOVER_TEST_LONG === '1';
const lane: Lane = long ? 'long' : 'fast';

const filesOf = (isIncluded: (file: string) => boolean) =>
  testFiles.filter((file) => isIncluded(file) && lanesOf(file).includes(lane));
const isUnit = (file: string) => file.startsWith('test/unit/');

/** A larger young generation: a third of the workers' CPU went into its collections. */
const execArgv = ['--max-semi-space-size=64'];

export default defineConfig({
  test: {
    pool: 'forks',
    // of two cores: many tests wait, and the engines and databases of the long lane want their share
    maxWorkers: long ? 2 : 3,
    // to load every module and compile the embedded database anew for each file would cost as much as the tests
    isolate: false,
    // a second, the default, is short on a busy machine; what is waited for comes, or never does
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 30_000,
    sequence: { sequencer: LongestFirst },
    // each project has worker processes of its own, which load everything again
    projects: [
      // needs no engine, and may replace modules (vi.mock) that the others have loaded
      { extends: true, test: { name: 'unit', include: filesOf(isUnit), execArgv } },
      {
        extends: true,
        test: {
          name: 'engines',
          include: filesOf((file) => !isUnit(file)),
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: long ? 600_000 : 30_000,
          hookTimeout: 60_000,
          // workers run workflows in their main thread: each thread loads the SDK again, 0.3 s of CPU per worker. It takes
          // the limit of 5 s off a workflow task, so the long lane has threads
          env: long ? {} : { TEMPORAL_DEBUG: '1' },
          execArgv: long
            ? execArgv
            : [
                ...execArgv,
                '--import',
                fileURLToPath(new URL('test/support/no-watchdog.mjs', import.meta.url)),
              ],
        },
      },
    ],
  },
});
