import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runQuietly } from './run.mjs';

/** Runs `npm ci` where node_modules is missing or differs from package-lock.json. */
export async function ensureDependencies() {
  const state = dependencyState();
  if (state === 'current') return;
  const [command, ...args] = npm();
  // with dev dependencies at any NODE_ENV, because the build needs the compiler
  await runQuietly(
    command,
    [...args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    state === 'missing' ? 'Installing dependencies (npm ci) …' : 'Dependencies are out of date: npm ci …',
  );
}

/** Compares package-lock.json with npm's own list of installed packages, package by package. */
function dependencyState() {
  const installedLock = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedLock)) return 'missing';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedLock, 'utf8')).packages;
  const stale = Object.entries(wanted).some(([path, { version, optional, devOptional }]) => {
    if (path === '' || (installed[path] === undefined && (optional || devOptional))) return false;
    return installed[path]?.version !== version;
  });
  return stale ? 'stale' : 'current';
}

/** The npm that runs this script, otherwise the one on PATH. */
function npm() {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, script] : ['npm'];
}
