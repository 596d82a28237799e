// After a change of dependencies: names other platforms' packages in package-lock.json again, where a registry that
// lacks them made npm drop them. Before it, `npx npm@10 install --package-lock-only`: npm 11 takes what npm 10 wrote, but
// not the other way round, and Node 20 and 22 come with npm 10.
import { readFileSync, writeFileSync } from 'node:fs';
import { missingPlatforms } from './lib/lock-file.mjs';
import { printLine, root } from './lib/run.mjs';

const path = `${root}package-lock.json`;
const lock = JSON.parse(readFileSync(path, 'utf8'));
const missing = missingPlatforms(lock.packages);
const entries = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, null, 2)}\n`);
printLine(`${Object.keys(missing).length} optional packages added to package-lock.json`);
