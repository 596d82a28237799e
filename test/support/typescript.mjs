// `node --import <this file> some.ts`: runs the sources of tests and product in a process of their own, unbuilt.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from '@swc/core';

if (isMainThread) register(import.meta.url);

/** Sources name each other as they will be compiled: `./a.js` is `./a.ts`. */
export function resolve(specifier, context, next) {
  const source = /^\.{1,2}\/.*\.js$/.test(specifier)
    ? new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
    : undefined;
  const found = source !== undefined && existsSync(fileURLToPath(source));
  return found ? { url: source.href, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    filename: fileURLToPath(url),
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
}
