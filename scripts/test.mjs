// npm test: sets up what is missing, then the suite; it gets its engines by itself. Further arguments go to vitest.
// --long: the long tests instead.
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
