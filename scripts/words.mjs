// Rejects words that a reader may misunderstand, in the comments of the folders that are already plain, in the titles of tests,
// in scenarios and in plain pages; names and messages are counted. Counts the words of the table everywhere. `node scripts/words.mjs --list` also prints each rejected use.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { root, say } from './lib/run.mjs';

/** What to write instead: the first plain words to try. */
const rejected = [
  [/\b(?:tell|tells|told|telling)\b/g, 'notify, record, report, distinguish'],
  [/\b(?:hear|hears|heard)\b/g, 'receive'],
  [/\b(?:nobody|somebody|anybody|whoever)\b/g, 'no worker, another process, an operator, staff'],
  [/\b(?:go|goes|going|went) on\b|\bstands? still\b/g, 'continues, is blocked'],
  [
    /\blets? go\b|\b(?:take|takes|taken|taking|took) in\b|\bma(?:ke|kes|king|de) (?:way|room)\b/g,
    'deleted, applied',
  ],
  [/\blook(?:s|ed|ing)? again\b/g, 'poll, read again'],
  [/\bpress(?:es|ed|ing)?\b/g, 'command, request, wake-up'],
  [
    /\b(?:bells?|askers?|patience|foresees?|foreseen|rush|rushes)\b/g,
    'wake-up, pending updates, preview, overload',
  ],
  [/\bstand-ins?\b|\bdesks?\b/g, 'standby, service'],
];
const counted =
  /\b(?:say|says|said|words?|keep|keeps|kept|look|looks|looked|taken|lines?|ask|asks|asked|settles?|settled|fold|folds|folded|windows?|danger|people|alarms?)\b/g;

/** Contract names, and texts that make the identity of stored timeline entries: they cannot change (entry-identity.ts). */
const contract = [/^src\/domain\/reservation\/messages\/(?!refusals)/, /^docs\/specification-coverage\.md$/];
const names =
  /next-in-danger|HANDOVER_DANGER_LEAD|callbacks-look-and-have-them-read-again|'foreseen'|compress\w*/g;
/** Folders whose comments, and pages whose texts, are plain: a rejected word there fails. The list only grows. */
const plain =
  /^(?:README\.md|docs\/(?:lifecycle|fleet|getting-started|problems)\.md|src\/|scenarios\/|activities\/|workflows\/|test\/)/;
const skipped =
  /^(?:CHANGELOG|LICENSE|package-lock|scripts\/words|test\/replay\/(?:histories|emitted|worked))|\.(?:json|sql|svg|jpg|png)$|\/migrations\//;

const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
const failures = [];
const counts = {};
for (const file of files.filter((name) => !skipped.test(name))) {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const folder = folderOf(file);
  counts[folder] ??= { rejected: 0, others: 0 };
  const all = apart(text);
  counts[folder].rejected += rejected.reduce((sum, [words]) => sum + (all.match(words) ?? []).length, 0);
  counts[folder].others += (all.match(counted) ?? []).length;
  if (plain.test(file) && !contract.some((path) => path.test(file))) failures.push(...uses(file, text));
}
if (process.argv.includes('--list')) for (const failure of failures) say(failure);
console.table(counts);
const total = Object.values(counts).reduce(
  (sum, { rejected: worst, others }) => [sum[0] + worst, sum[1] + others],
  [0, 0],
);
say(`words of the table, names included: ${total[0]} of those rejected in plain folders, ${total[1]} others`);
if (failures.length > 0) {
  for (const failure of failures.slice(0, 20)) say(failure);
  say(
    `${failures.length} words in comments, titles of tests, scenarios or pages that a reader may misunderstand`,
  );
  process.exitCode = 1;
}

function folderOf(file) {
  const parts = dirname(file).split('/');
  return parts.slice(0, ['src', 'test'].includes(parts[0]) ? 2 : 1).join('/');
}

/** `tellPeriodEnd` as `tell period end`, so that a word is found in a name too. */
function apart(text) {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

/** The title of a suite or test that begins on a line; one that is long has a line of its own. */
function titleIn(line, before) {
  const [, title] =
    /(?:\b(?:it|describe)(?:\.\w+)*|\))\(['"`](.+?)['"`],/.exec(line) ??
    (/\($/.test(before) ? /^\s*['"`](.+)['"`],$/.exec(line) : null) ??
    [];
  return title ?? '';
}

/** The rejected words in comments and titles (in pages and scenarios: anywhere), one per line with what to write instead. */
function uses(file, text) {
  const lines = text.split('\n');
  const titleOf = (line, index) => (file.startsWith('test/') ? titleIn(line, lines[index - 1] ?? '') : '');
  return lines.flatMap((line, index) => {
    const prose = /\.(?:md|yaml)$/.test(file)
      ? line
      : (/(?:(?:^|\s)(?:\/\/|\/\*\*?)|^\s*\*)\s(.*)$/.exec(line)?.[1] ?? titleOf(line, index));
    // a name in backticks is a contract or code
    const plainProse = prose
      .replaceAll(/`[^`]*`/g, '')
      .replaceAll(names, '')
      .toLowerCase();
    return rejected.flatMap(([words, instead]) =>
      (plainProse.match(words) ?? []).map((word) => `${file}:${index + 1}: "${word}": write ${instead}`),
    );
  });
}
