import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { workflowBundle } from '../support/engine.js';

/** What Temporal's own runtime needs is most of it; our part, six workflows and their decisions, is about 504 KB. */
const budgetBytes = 1_250_000;

/** Evaluated for each workflow in the cache: a library that slips in costs memory for every open reservation. */
it('the code of the workflow bundle, its source map apart, stays within its budget', async () => {
  const bundle = await readFile(workflowBundle().codePath, 'utf8');
  const code = bundle.slice(0, bundle.lastIndexOf('//# sourceMappingURL='));
  expect(code.length).toBeGreaterThan(100_000);
  expect(code.length).toBeLessThan(budgetBytes);
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
