import './node-version.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { printLine } from './run.mjs';

/** Dependencies and build, each only when missing or out of date. Ends the process with what went wrong. */
export async function setUp() {
  try {
    await ensureDependencies();
    await ensureBuilt();
  } catch (error) {
    printLine(error.message);
    process.exit(1);
  }
}
