import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTexts } from './pack-texts.mjs';
import { root } from './run.mjs';

/** The drawings stand in the page. */
function withIcons(page) {
  const place = '<!-- icons -->';
  if (!page.includes(place)) throw new Error(`index.html has no ${place}`);
  return page.replace(place, readFileSync(join(root, 'console/design/icons.svg'), 'utf8').trim());
}

/** By it phones install the console as an app; browsers know it by this name. */
const manifest = 'manifest.webmanifest';

/**
 * Bundles the console: script, styles and icon in `assets/` with a hash in each name, the page that uses them, and the service worker,
 * whose name never changes. Each language is a script of its own.
 * @returns esbuild's metafile
 */
export async function buildConsole(output) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'console/main.tsx',
      icon: 'console/icon.svg',
      'icon-192': 'console/icon-192.png',
      'icon-512': 'console/icon-512.png',
    },
    loader: { '.svg': 'copy', '.png': 'copy' },
    outdir: join(output, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    target: 'es2022',
    minify: true,
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: ['console/jsx.ts'],
    plugins: [await packTexts()],
    // the server names it in a header: a comment would be a part of every script
    sourcemap: 'external',
    metafile: true,
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  await minify(Object.keys(metafile.outputs));
  const files = Object.keys(metafile.outputs).map((path) => basename(path));
  const withNames = (file) =>
    readFileSync(join(root, 'console', file), 'utf8').replace(
      /\/assets\/([\w-]+)\.(js|css|svg|png)/g,
      (_, name, type) => `/assets/${nameOf(files, name, type)}`,
    );
  const page = withIcons(withNames('index.html'));
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, 'index.html'), page);
  writeFileSync(join(output, manifest), withNames(manifest));
  await buildServiceWorker(build, output, page, textScripts(metafile));
  compress([...Object.keys(metafile.outputs), join(output, 'index.html'), join(output, 'service-worker.js')]);
  return metafile;
}

/** swc makes smaller scripts than esbuild alone: 3 % after compression. */
async function minify(outputs) {
  const { default: swc } = await import('@swc/core');
  for (const path of outputs.map((one) => join(root, one)).filter((one) => one.endsWith('.js'))) {
    const { code, map } = await swc.minify(readFileSync(path, 'utf8'), {
      module: true,
      ecma: 2022,
      // unsafe: texts are joined by `+`, which differs for symbols and objects with a `valueOf` alone; none of them is joined
      compress: { passes: 3, inline: 1, unsafe: true },
      mangle: true,
      sourceMap: { content: readFileSync(`${path}.map`, 'utf8') },
    });
    writeFileSync(path, code);
    writeFileSync(`${path}.map`, map);
  }
}

/** The server sends `name.gz` to browsers that accept it. */
function compress(outputs) {
  for (const path of outputs.map((one) => resolve(root, one)))
    if (/\.(js|css|html)$/.test(path))
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
}

/** Each language is a script. */
function textScripts({ outputs }) {
  const paths = Object.keys(outputs).filter((path) => outputs[path].entryPoint?.startsWith('console/texts/'));
  return paths.map((path) => `/assets/${basename(path)}`);
}

/** It stores the page, the page's assets and the texts: all that `/go` needs. A hash of their names and content identifies the build. */
async function buildServiceWorker(build, output, page, texts) {
  const files = [...page.match(/\/assets\/[\w.-]+/g), ...texts];
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
