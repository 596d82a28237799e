import { defineConfig } from 'vitest/config';

// `npm run record-histories`
export default defineConfig({
  test: {
    root: '.',
    include: ['test/replay/record-histories.ts'],
    globalSetup: 'test/support/global-setup.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
