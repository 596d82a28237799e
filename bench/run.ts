import { isEnding } from './signals.js';

/** Runs a benchmark. An error ends it with its message on stderr, without a stack, and exit code 1. */
export async function runBench(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    // the handler of the signal ends this process
    if (isEnding()) return new Promise(() => {});
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
