import { defineConfig } from 'vitest/config';

const long = process.env.HANDOVER_TEST_LONG === '1';
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
          include: [...filesOf('workflow'), ...filesOf('replay'), ...filesOf('integration')],
          exclude,
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: long ? 600_000 : 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
