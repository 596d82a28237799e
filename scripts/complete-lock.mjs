// After `npm install` with a registry that lacks other platforms' packages: names them in package-lock.json again.
import { readFileSync, writeFileSync } from 'node:fs';
import { missingPlatforms } from './lib/lock-file.mjs';
import { root, say } from './lib/run.mjs';

const path = `${root}package-lock.json`;
const lock = JSON.parse(readFileSync(path, 'utf8'));
const missing = missingPlatforms(lock.packages);
const entries = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, null, 2)}\n`);
say(`${Object.keys(missing).length} optional packages added to package-lock.json`);
