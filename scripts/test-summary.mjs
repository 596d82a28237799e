// Prints the last line of a CI run from vitest's JSON reports: `N passed, N failed`, and the number of skipped tests.
// Exits with 1 where a report is missing, no test of one ran, or a test failed.
import { readFileSync } from 'node:fs';

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  const { passed, failed, skipped, isGood } = countsOf(file);
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  if (!isGood) process.exitCode = 1;
}
const { passed, failed, skipped } = sum;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);

function countsOf(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.log('The tests did not run: what failed before them counts as one.');
    return { passed: 0, failed: 1, skipped: 0, isGood: false };
  }
  const { numPassedTests: passed, numPendingTests, numTodoTests, success, testResults } = report;
  // a file that could not be loaded has no tests, so it counts as one failed test
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  const skipped = numPendingTests + numTodoTests;
  return { passed, failed, skipped, isGood: success && failed === 0 && passed > 0 };
}
