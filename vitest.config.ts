import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const long = process.env.HANDOVER_TEST_LONG === '1';
/** In both lanes: the long one has the other wire profile (`wireProfiles`), and every database (`onOneDatabase`). */
const inBothLanes = readdirSync('test/integration')
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.long.test.ts'))
  .map((name) => `test/integration/${name}`)
  .filter((file) => /wireProfiles|onOneDatabase/.test(readFileSync(file, 'utf8')));
const filesOf = (folder: string) => [`test/${folder}/**/*${long ? '.long' : ''}.test.ts`];
const exclude = long ? [] : ['**/*.long.test.ts'];

const withEngines = {
  exclude,
  globalSetup: 'test/support/global-setup.ts',
  testTimeout: long ? 600_000 : 30_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    pool: 'forks',
    // two cores: engines and databases of the tests want their share
    maxWorkers: 2,
    // to load every module and compile the embedded database anew for each file would cost as much as the tests
    isolate: false,
    // a second, the default, is short on a busy machine; what is waited for comes, or never does
    expect: { poll: { timeout: 15_000 } },
    projects: [
      { extends: true, test: { name: 'unit', include: filesOf('unit'), exclude } },
      {
        extends: true,
        test: {
          ...withEngines,
          name: 'workflow',
          include: ['workflow', 'replay'].flatMap(filesOf),
          // workers run workflows in their main thread: each thread loads the SDK again, 0.3 s of CPU per test
          env: { TEMPORAL_DEBUG: '1' },
        },
      },
      {
        extends: true,
        test: {
          ...withEngines,
          name: 'integration',
          include: [...filesOf('integration'), ...(long ? inBothLanes : [])],
        },
      },
    ],
  },
});
