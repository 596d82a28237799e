/** Dependencies point inwards (docs: folders). Run by scripts/dependency-rules.mjs. */

/** Modules of `folder` may import these paths (regular expressions) and nothing else. */
const onlyImports = (name, folder, allowed) => ({
  name,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: { pathNot: [`^${folder}/`, ...allowed] },
});

/** Modules of `folder` are imported by itself and these places (regular expressions) alone. */
const onlyImportedBy = (name, folder, allowed) => ({
  name,
  severity: 'error',
  from: { pathNot: [`^${folder}/`, ...allowed] },
  to: { path: `^${folder}/` },
});

// the binary's commands put the parts together
const composition = ['^src/cli\\.ts$', '^src/run/', '^src/rehearse/'];

module.exports = {
  forbidden: [
    onlyImports('lifecycle-is-pure', 'src/lifecycle', []),
    onlyImports('contract-knows-lifecycle-types', 'src/contract', [
      '^src/lifecycle/',
      '^src/fleet/',
      '^node_modules/@temporalio/common/',
    ]),
    onlyImports('fleet-decisions-are-pure', 'src/fleet', ['^src/lifecycle/']),
    // no Node built-in, no zod, no activity code: a workflow is replayed
    onlyImports('workflows-are-deterministic', 'workflows', [
      '^src/lifecycle/',
      '^src/fleet/',
      '^src/contract/',
      '^node_modules/@temporalio/(workflow|common)/',
    ]),
    {
      name: 'sandbox-is-another-system',
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: {
        path: '^(src|workflows|activities|node_modules/@temporalio)/',
        pathNot: [
          '^src/(sandbox|db|config|platform/profiles)/',
          '^src/platform/(profile|model|errors|gaps)\\.ts$',
          '^src/(config|log)\\.ts$',
        ],
      },
    },
    onlyImportedBy('workflows-are-bundled', 'workflows', ['^test/', '^bench/']),
    onlyImportedBy('api-is-an-edge', 'src/api', composition),
    onlyImportedBy('sandbox-is-an-edge', 'src/sandbox', composition),
    onlyImportedBy('intake-is-an-edge', 'src/intake', composition),
    {
      name: 'engine-knows-no-product-code',
      severity: 'error',
      from: { path: '^src/engine/' },
      to: { path: '^(src/(lifecycle|platform|intake|api|sandbox)|activities|workflows)/' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'only-declared-dependencies',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional'] },
    },
  ],
  // asked of the compiled code, where a cycle of types alone is gone
  forbiddenInBuild: [{ name: 'no-circular', severity: 'error', from: {}, to: { circular: true } }],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
