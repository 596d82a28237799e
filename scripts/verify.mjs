// npm run verify: format and lint, types, unused code, dependency rules, plain words, then the suite. Arguments are passed
// to vitest.
import './lib/node-version.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { printLine, tool } from './lib/run.mjs';

const checks = [
  ['format and lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings']],
  ['types', 'typescript/bin/tsc', ['-p', '.', '--noEmit']],
  ['types of the console', 'typescript/bin/tsc', ['-p', 'console', '--noEmit']],
  ['unused code', 'knip/bin/knip.js', []],
  ['dependency rules', '../scripts/dependency-rules.mjs', []],
  ['plain words', '../scripts/words.mjs', []],
];

await ensureDependencies();
const failed = checks.filter(([title, script, args]) => {
  printLine(`— ${title}`);
  return tool(`node_modules/${script}`, args) !== 0;
});
if (failed.length > 0) {
  printLine(`Not tested, for these failed: ${failed.map(([title]) => title).join(', ')}`);
  process.exit(1);
}
printLine('— tests');
process.exitCode = tool('scripts/test.mjs', process.argv.slice(2));
