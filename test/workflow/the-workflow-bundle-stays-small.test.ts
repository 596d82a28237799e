import { readFile } from 'node:fs/promises';
import { minify } from '@swc/core';
import { expect, it } from 'vitest';
import { workflowBundle } from '../support/engine.js';

/** What Temporal's own runtime needs is more than half of it; our part is six workflows and their decisions. */
const budgetBytes = 660_000;

/** Evaluated for each workflow in the cache: a library that slips in costs memory for every open reservation. */
it('the code of the workflow bundle, comments and source map apart, stays within its budget', async () => {
  const bundle = await readFile(workflowBundle().codePath, 'utf8');
  const { code } = await minify(bundle.slice(0, bundle.lastIndexOf('//# sourceMappingURL=')), {
    compress: false,
    mangle: false,
    format: { comments: false },
  });
  expect(code.length).toBeGreaterThan(100_000);
  expect(code.length).toBeLessThan(budgetBytes);
});

it('its source map has positions for stack traces, and no sources', async () => {
  const bundle = await readFile(workflowBundle().codePath, 'utf8');
  const map = JSON.parse(Buffer.from(bundle.slice(bundle.lastIndexOf('base64,') + 7), 'base64').toString());
  expect(map.sourcesContent).toBeUndefined();
  expect(map.sources).toContainEqual(expect.stringMatching(/workflows.reservation.workflow\.ts$/));
  expect(map.mappings.length).toBeGreaterThan(100_000);
});

it('no library is in it but those of the SDK', async () => {
  const bundle = await readFile(workflowBundle().codePath, 'utf8');
  const modules = [...bundle.matchAll(/^\/\*\*\*\/ "[^"\n]*node_modules\/((?:@[^/]+\/)?[^/"]+)/gm)].map(
    ([, name]) => name,
  );
  const libraries = new Set(modules);
  expect([...libraries].sort()).toEqual([
    '@temporalio/common',
    '@temporalio/workflow',
    'long',
    'ms',
    'nexus-rpc',
  ]);
});

it('object spread and class fields are those of the JavaScript engine, not functions of an older language', async () => {
  const bundle = await readFile(workflowBundle().codePath, 'utf8');
  expect(bundle).not.toMatch(/function _(object_spread|define_property)/);
});
