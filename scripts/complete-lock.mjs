// Run this after a change of dependencies, and after `npx npm@10 install --package-lock-only`. It adds the packages of
// other platforms to package-lock.json, which npm removes where a registry does not have them. npm 10, because Node 20
// and 22 include it: npm 11 reads a lock file of npm 10, but not the other way round.
import { readFileSync, writeFileSync } from 'node:fs';
import { missingPlatforms } from './lib/lock-file.mjs';
import { printLine, root } from './lib/run.mjs';

const path = `${root}package-lock.json`;
const lock = JSON.parse(readFileSync(path, 'utf8'));
const missing = missingPlatforms(lock.packages);
const entries = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, null, 2)}\n`);
printLine(`${Object.keys(missing).length} optional packages added to package-lock.json`);
