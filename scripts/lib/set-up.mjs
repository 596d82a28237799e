import './node-version.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { printLine } from './run.mjs';

/** Installs dependencies and builds, each only where missing or out of date. On an error, prints it and ends the process. */
export async function setUp() {
  try {
    await ensureDependencies();
    await ensureBuilt();
  } catch (error) {
    printLine(error.message);
    process.exit(1);
  }
}
