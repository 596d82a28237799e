// Prints the last line of a CI run from vitest's JSON report: `N passed, N failed`, and the names of skipped tests.
// Exits with 1 where the report is missing, no test ran, or a test failed.
import { readFileSync } from 'node:fs';

let report;
try {
  report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
} catch {
  console.log('The tests did not run: what failed before them counts as one.');
  console.log('0 passed, 1 failed');
  process.exit(1);
}

const { numPassedTests: passed, numPendingTests, numTodoTests, success, testResults } = report;
// a file that could not be loaded has no tests, so it counts as one failed test
const brokenFiles = testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
).length;
const failed = report.numFailedTests + brokenFiles;
const skipped = numPendingTests + numTodoTests;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = success && failed === 0 && passed > 0 ? 0 : 1;
