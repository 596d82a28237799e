// npm run build: builds also where dist is up to date.
import './lib/node-version.mjs';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { printLine } from './lib/run.mjs';

try {
  await ensureDependencies();
  await build();
} catch (error) {
  printLine(error.message);
  process.exit(1);
}
