// npm test: installs and builds what is missing, then runs the suite, which provides its own engines. Further arguments
// are passed to vitest. --long: runs the long tests instead.
import './lib/node-version.mjs';
import { tool } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

const args = process.argv.slice(2).filter((arg) => arg !== '--long');
const long = args.length < process.argv.length - 2;

await setUp();
process.exitCode = tool(
  'node_modules/vitest/vitest.mjs',
  ['run', ...args],
  long ? { HANDOVER_TEST_LONG: '1' } : {},
);
