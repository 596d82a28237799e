import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './run.mjs';

/**
 * Bundles the console: script, styles and icon in `assets/` with a hash in each name, the page that uses them, and the
 * service worker, whose name never changes.
 * @returns esbuild's metafile
 */
export async function buildConsole(output) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'console/main.tsx', icon: 'console/icon.svg' },
    loader: { '.svg': 'copy' },
    outdir: join(output, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    target: 'es2022',
    minify: true,
    sourcemap: 'linked',
    metafile: true,
    tsconfig: 'console/tsconfig.json',
    logLevel: 'warning',
  });
  const files = Object.keys(metafile.outputs).map((path) => basename(path));
  const source = readFileSync(join(root, 'console', 'index.html'), 'utf8');
  const page = source.replace(
    /\/assets\/(\w+)\.(js|css|svg)/g,
    (_, name, type) => `/assets/${nameOf(files, name, type)}`,
  );
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, 'index.html'), page);
  await buildServiceWorker(build, output, page, files);
  return metafile;
}

/** It stores the page, the page's assets and the scripts that these import. A hash of their names and content identifies the build. */
async function buildServiceWorker(build, output, page, built) {
  const scripts = built.filter((name) => name.endsWith('.js')).map((name) => `/assets/${name}`);
  const files = [...new Set([...page.match(/\/assets\/[\w.-]+/g), ...scripts])];
  const name = `handover-${createHash('sha256').update(page).digest('hex').slice(0, 12)}`;
  await build({
    absWorkingDir: root,
    entryPoints: ['console/offline/service-worker.ts'],
    outfile: join(output, 'service-worker.js'),
    define: { BUILD: JSON.stringify({ name, files }) },
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    tsconfig: 'console/tsconfig.json',
    logLevel: 'warning',
  });
}

function nameOf(files, name, type) {
  const file = files.find((one) => one.startsWith(`${name}-`) && one.endsWith(`.${type}`));
  if (file === undefined) throw new Error(`the console's bundle has no ${name}.${type}`);
  return file;
}
