import { readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';

/**
 * Replaces the compiled `src/cli.js` in the folder `output` by one that has its modules in a few files, in `chunks/`: Node takes
 * half a millisecond for each file that it loads. Packages stay where they are installed.
 */
export async function bundleProgram(output) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: output,
    entryPoints: { 'src/cli': 'src/cli.js' },
    outdir: '.',
    allowOverwrite: true,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    plugins: [modulesKeepTheirPlace(output)],
    logLevel: 'warning',
  });
}

/** A module that finds files beside itself still does, from `chunks/` or `src/`. */
const modulesKeepTheirPlace = (output) => ({
  name: 'modules keep their place',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const place = `new URL('../${relative(output, path)}', import.meta.url).href`;
      return { contents: code.replaceAll('import.meta.url', place), resolveDir: dirname(path) };
    });
  },
});
