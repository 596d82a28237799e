// Rejects words that a reader may misunderstand, in names, strings and comments of code and tests, scenarios and pages.
// `node scripts/words.mjs --list` prints their number per folder, and the number of words that are only counted.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { contractNames, counted, rejected, rejectedInTexts } from './lib/rejected-words.mjs';
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
  if (code.test(file)) {
    failures.push(...uses(file, apart(without(contractNames, text)), rejected));
    failures.push(...uses(file, quoted(text).toLowerCase(), rejectedInTexts));
  } else if (prose.test(file)) failures.push(...uses(file, apart(without([/`[^`\n]*`/g], text)), rejected));
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

/** Only what is in quotes on each line that is no comment. */
function quoted(text) {
  const lines = text.split('\n').map((line) => (/^\s*(?:\/[/*]|\*)/.test(line) ? '' : line));
  return lines
    .map((line) => (line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/g) ?? []).join(' '))
    .join('\n');
}

/** One message per rejected word, with the words to use instead. */
function uses(file, text, words) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      words.flatMap(([pattern, instead]) =>
        (line.match(pattern) ?? []).map((word) => `${file}:${index + 1}: "${word}": write ${instead}`),
      ),
    );
}
