/** Imports point downwards (docs/architecture.md: folders). Run by scripts/dependency-rules.mjs. */

/** What modules of each layer import directly, beside their own layer, Node and packages; with it all that is below that. */
const imports = {
  domain: [],
  contract: ['domain'],
  platform: ['contract'],
  store: ['contract'],
  temporal: ['store'],
  workflows: ['contract'],
  outbox: ['store'],
  activities: ['platform', 'temporal', 'outbox'],
  inbox: ['platform', 'temporal', 'outbox'],
  api: ['inbox'],
  sandbox: [],
  app: ['api', 'activities', 'sandbox'],
  tools: ['app'],
};
const below = (layer) => [...new Set(imports[layer].flatMap((one) => [one, ...below(one)]))];

/** Single folders and files of another layer (regular expressions), with the reason. */
const more = {
  // the wire profile, the database helpers, and the 405 of an HTTP server: the sandbox is another system
  sandbox: [
    '^src/platform/(profile|model|errors|gaps)\\.ts$',
    '^src/platform/profiles/',
    '^src/store/connection/',
    '^src/api/http/allowed-methods\\.ts$',
  ],
  // the receiver answers as the API does
  inbox: ['^src/api/http/(connections|problem|problem-schema|trusted-senders)\\.ts$'],
  // `handover up --demo` plays it
  app: ['^src/tools/demo/'],
};

const folderOf = (layer) => (['workflows', 'activities'].includes(layer) ? `^${layer}/` : `^src/${layer}/`);

const directions = Object.keys(imports).map((layer) => ({
  name: `${layer}-imports-downwards`,
  severity: 'error',
  from: { path: folderOf(layer) },
  to: {
    path: '^(src|workflows|activities)/',
    pathNot: [folderOf(layer), ...below(layer).map(folderOf), ...(more[layer] ?? [])],
  },
}));

/** Modules of these layers import no package and nothing of Node but this. */
const onlyPackages = (layer, allowed) => ({
  name: `${layer}-imports-few-packages`,
  severity: 'error',
  from: { path: folderOf(layer) },
  to: { pathNot: ['^(src|workflows|activities)/', ...allowed] },
});

module.exports = {
  forbidden: [
    ...directions,
    onlyPackages('domain', []),
    onlyPackages('contract', ['^node_modules/@temporalio/common/']),
    // no Node built-in, no zod: a workflow is replayed
    onlyPackages('workflows', ['^node_modules/@temporalio/(workflow|common)/']),
    // the workflow bundle holds no sentence that only the API renders
    {
      name: 'workflows-render-no-korean',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^src/domain/(reservation|hold)/messages/ko', reachable: true },
    },
    {
      name: 'sandbox-knows-no-temporal',
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: { path: '^node_modules/@temporalio/' },
    },
    // the workflow bundle is made of them; nothing imports their modules
    {
      name: 'workflows-are-bundled',
      severity: 'error',
      from: { pathNot: ['^workflows/', '^test/', '^bench/'] },
      to: { path: '^workflows/' },
    },
    {
      name: 'domain-shared-is-the-lowest',
      severity: 'error',
      from: { path: '^src/domain/shared/' },
      to: { pathNot: '^src/domain/shared/' },
    },
    {
      name: 'layout',
      comment: 'src has these twelve entries',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(cli\\.ts$|(domain|contract|platform|store|inbox|outbox|temporal|api|app|sandbox|tools)/)',
      },
      to: {},
    },
    // the browser runs it
    {
      name: 'console-is-bundled',
      severity: 'error',
      from: { pathNot: '^(console|test)/' },
      to: { path: '^console/' },
    },
    {
      name: 'console-imports-domain-and-api',
      comment: 'of the API only types, which a test checks: this program reads types as anything else',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(src|workflows|activities|bench|test|scripts)/', pathNot: '^src/(domain|api)/' },
    },
    // of types too: a type that two files share stands in a file of its own
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    // tracing that is off loads nothing of it
    {
      name: 'opentelemetry-is-loaded-on-demand',
      severity: 'error',
      from: { pathNot: '^src/app/tracing/opentelemetry\\.ts$|^node_modules/' },
      to: {
        path: '^node_modules/@opentelemetry/|^src/app/tracing/opentelemetry\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'only-declared-dependencies',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional'] },
    },
  ],
  // of the code around the product
  forbiddenAround: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'compiled-benches-import-no-test',
      comment:
        'dist/ holds no tests: only `scale` and `scale-model`, which run from their sources, import their support',
      severity: 'error',
      from: { path: '^bench/', pathNot: '^bench/scale' },
      to: { path: '^(test|bench/scale)/', dependencyTypesNot: ['type-only'] },
    },
  ],
  // asked of the compiled code too, which is what runs
  forbiddenInBuild: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'temporal-is-called-in-one-layer',
      comment:
        'src/temporal/client alone calls Temporal for workflows; other code names types, and passes a client on. Reads compiled imports only',
      severity: 'error',
      from: {
        path: '^dist/(src|workflows|activities)/',
        pathNot: '^dist/src/temporal/(client|connection|server)/',
      },
      to: { path: '^node_modules/@temporalio/client/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
