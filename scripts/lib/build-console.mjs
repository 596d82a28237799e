import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './run.mjs';

/**
 * Bundles the console: script, styles and icon below `assets/`, with a hash in each name, and the page that names them.
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
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    sourcemap: 'linked',
    metafile: true,
    tsconfig: 'console/tsconfig.json',
    logLevel: 'warning',
  });
  const files = Object.keys(metafile.outputs).map((path) => basename(path));
  const page = readFileSync(join(root, 'console', 'index.html'), 'utf8');
  mkdirSync(output, { recursive: true });
  writeFileSync(
    join(output, 'index.html'),
    page.replace(/\/assets\/\w+\.(js|css|svg)/g, (_, type) => `/assets/${nameOf(files, type)}`),
  );
  return metafile;
}

function nameOf(files, type) {
  const name = files.find((file) => file.endsWith(`.${type}`));
  if (name === undefined) throw new Error(`the console's bundle has no ${type} file`);
  return name;
}
