import type { Reporter, TestCase } from 'vitest/node';

/** Prints why a test failed when it fails. The default reporter does so when all have ended: a lane that is stopped would give no reason. */
export class FailuresAtOnce implements Reporter {
  onTestCaseResult(test: TestCase): void {
    for (const { message, stack } of test.result().errors ?? [])
      console.error(`FAILED ${test.fullName}\n${stack ?? message}`);
  }
}
