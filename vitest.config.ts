import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FailuresAtOnce } from './test/support/failures-at-once.js';
import { type Lane, lanesOf, testFiles } from './test/support/lanes.js';
import { LongestFirst } from './test/support/longest-first.js';

const long = process.env.HANDOVER_TEST_LONG === '1';
const lane: Lane = long ? 'long' : 'fast';

const filesOf = (isIncluded: (file: string) => boolean) =>
  testFiles.filter((file) => isIncluded(file) && lanesOf(file).includes(lane));
const isMocking = (file: string) => /\bvi\.mock\(/.test(readFileSync(file, 'utf8'));

const filters = process.argv.slice(2).filter((arg) => !arg.startsWith('-') && arg !== 'run');
/** They need no engine. */
const areUnitTests = filters.length > 0 && filters.every((filter) => filter.startsWith('test/unit'));

/** A larger young generation: a third of the workers' CPU went into its collections. */
const execArgv = ['--max-semi-space-size=64'];

export default defineConfig({
  test: {
    pool: 'forks',
    // of two cores: many tests wait, and the engines and databases of the long lane want their share
    maxWorkers: long ? 2 : 4,
    // to load every module and compile the embedded database again for each file would cost as much as the tests
    isolate: false,
    // a second, the default, is short on a busy machine; what is waited for comes, or never does
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 30_000,
    sequence: { sequencer: LongestFirst },
    reporters: long ? ['default', new FailuresAtOnce()] : ['default'],
    // each project has worker processes of its own, which load everything again
    projects: [
      // they replace modules that the others have loaded, and each other's
      { extends: true, test: { name: 'mocking', include: filesOf(isMocking), isolate: true } },
      {
        extends: true,
        test: {
          name: 'suite',
          include: filesOf((file) => !isMocking(file)),
          globalSetup: areUnitTests ? [] : 'test/support/global-setup.ts',
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
