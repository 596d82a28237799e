// A process of its own, in a copy of the tree: runs tests whenever it is sent their names, and sends back what failed.
import { createVitest } from 'vitest/node';

class AsSent {
  sort(specifications) {
    return specifications;
  }
  shard(specifications) {
    return specifications;
  }
}

/** Of the current run: vitest's own result has those of earlier runs too. */
let ended = [];
const reporter = {
  onTestModuleQueued: ({ moduleId }) => process.send({ kind: 'begins', test: moduleId }),
  onTestModuleEnd: (module) => ended.push(module),
};

const vitest = await createVitest(
  'test',
  {
    config: false,
    watch: false,
    include: ['test/unit/domain/**/*.test.ts'],
    exclude: ['**/*.long.test.ts'],
    // killed with this process, whatever a mutant does
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    testTimeout: 30_000,
    silent: true,
    sequence: { sequencer: AsSent },
    reporters: [reporter],
    setupFiles: ['test/mutation/same-values.mjs'],
  },
  { cacheDir: '.vite' },
);
const specifications = await vitest.globTestSpecifications();

process.on('message', async ({ changed = [], tests }) => {
  for (const file of changed) vitest.invalidateFile(file);
  const wanted =
    tests === undefined
      ? specifications
      : tests.map((test) => specifications.find(({ moduleId }) => moduleId === test));
  ended = [];
  const { unhandledErrors } = await vitest.runTestSpecifications(wanted);
  process.send({
    kind: 'result',
    failed: [
      ...ended.filter((module) => !module.ok()).map(({ moduleId }) => moduleId),
      ...(unhandledErrors.length > 0 ? ['an error outside the tests'] : []),
    ],
    tests: ended.map((module) => ({
      test: module.moduleId,
      ms: module.diagnostic().duration + module.diagnostic().collectDuration,
    })),
    imports: tests === undefined ? importsOf() : [],
  });
});
process.on('disconnect', () => process.exit());

/** The test files that import a source, directly or not. */
function importsOf() {
  const [{ vite }] = vitest.projects;
  const graphs = Object.values(vite.environments).map(({ moduleGraph }) => moduleGraph);
  const testsOf = (module, seen) => {
    if (seen.has(module)) return;
    seen.add(module);
    for (const importer of module.importers) testsOf(importer, seen);
  };
  const files = new Set(graphs.flatMap((graph) => [...graph.fileToModulesMap.keys()]));
  return [...files]
    .filter((file) => file.includes('/src/domain/'))
    .map((file) => {
      const seen = new Set();
      for (const graph of graphs)
        for (const module of graph.getModulesByFile(file) ?? []) testsOf(module, seen);
      const importers = new Set([...seen].map((module) => module.file));
      return [file, specifications.map(({ moduleId }) => moduleId).filter((id) => importers.has(id))];
    });
}
