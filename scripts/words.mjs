// Rejects words that a reader may misunderstand, in names, strings and comments of code and tests, scenarios and pages.
// `node scripts/words.mjs --list` prints their number per folder, and the number of words that are only counted.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { contractNames, counted, rejected } from './lib/rejected-words.mjs';
import { printLine, root } from './lib/run.mjs';

const code = /^(?:src|workflows|activities|bench|scripts|test|console)\/.*\.(?:tsx?|mjs)$/;
/** Without the table of the specification's sentences, which quotes them and titles of tests. */
const prose = /^(?:README|CONTRIBUTING|docs\/(?!specification-coverage).*)\.md$|^scenarios\//;
const skipped =
  /^(?:CHANGELOG|LICENSE|package-lock|scripts\/lib\/rejected-words|test\/replay\/(?:histories|emitted|worked))|\.(?:json|sql|svg|jpg|png)$|\/migrations\//;

const counts = {};
const failures = [];
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
for (const file of files.filter((name) => !skipped.test(name))) {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  count(folderOf(file), apart(text));
  // code within a page is in backticks
  if (code.test(file)) failures.push(...uses(file, without(contractNames, text)));
  else if (prose.test(file)) failures.push(...uses(file, without([/`[^`\n]*`/g], text)));
}
if (process.argv.includes('--list')) console.table(counts);
for (const failure of failures) printLine(failure);
if (failures.length > 0) process.exitCode = 1;

function folderOf(file) {
  const parts = dirname(file).split('/');
  return parts.slice(0, ['src', 'test'].includes(parts[0]) ? 2 : 1).join('/');
}

/** Splits `notifyOnce` into `notify once`, so that a word is found within a name. */
function apart(text) {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

function without(patterns, text) {
  return patterns.reduce((left, pattern) => left.replaceAll(pattern, ''), text);
}

function count(folder, text) {
  counts[folder] ??= { rejected: 0, others: 0 };
  for (const [words] of rejected) counts[folder].rejected += text.match(words)?.length ?? 0;
  counts[folder].others += text.match(counted)?.length ?? 0;
}

/** One message per rejected word, with the words to use instead. */
function uses(file, text) {
  return text.split('\n').flatMap((line, index) => {
    const words = apart(line);
    return rejected.flatMap(([pattern, instead]) =>
      (words.match(pattern) ?? []).map((word) => `${file}:${index + 1}: "${word}": write ${instead}`),
    );
  });
}
