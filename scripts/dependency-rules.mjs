// Checks the rules of .dependency-cruiser.cjs, and that dependency-cruiser reads the code: without a working parser it
// reads nothing and reports no violation.
import { createRequire } from 'node:module';
import swc from '@swc/core';
import { cruise, format } from 'dependency-cruiser';
import { printLine, root } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

process.chdir(root);
const { forbidden, forbiddenAround, forbiddenInBuild, options } = createRequire(import.meta.url)(
  '../.dependency-cruiser.cjs',
);

// dependency-cruiser parses with the swc that it finds, and does not name the JSX of the console's files to it
const { parseFileSync } = swc;
swc.parseFileSync = (file, parsing) => parseFileSync(file, { ...parsing, tsx: file.endsWith('.tsx') });

/** Prints the violations. Returns the modules that were read. */
async function check(folders, rules, parser) {
  const { output } = await cruise(
    folders,
    { ...options, parser, ruleSet: { forbidden: rules }, validate: true },
    options.enhancedResolveOptions,
  );
  const report = await format(output, { outputType: 'err' });
  printLine(String(report.output).trim());
  if (report.exitCode !== 0) process.exitCode = 1;
  return output.modules;
}

/** One import per folder that must be found, as proof that imports are read and resolved. */
function assertReads(modules, edges) {
  for (const [from, to] of edges) {
    const seen = modules.some(
      ({ source, dependencies }) =>
        source.startsWith(from) && dependencies.some(({ resolved }) => resolved.startsWith(to)),
    );
    if (seen) continue;
    printLine(`the dependency check sees no import of ${to} in ${from}: it does not read the code`);
    process.exitCode = 1;
  }
}

await setUp();
// swc, because the TypeScript 7 compiler has no API for dependency-cruiser
assertReads(await check(['src', 'workflows', 'activities', 'console'], forbidden, 'swc'), [
  ['workflows/', 'src/contract/'],
  ['src/temporal/', 'node_modules/@temporalio/'],
  ['activities/', 'src/contract/'],
  ['console/', 'src/domain/'],
  // both are TSX
  ['console/app.tsx', 'console/shell/shell.tsx'],
]);
assertReads(await check(['bench', 'test', 'scripts'], forbiddenAround, 'swc'), [
  ['bench/', 'src/tools/'],
  ['test/', 'test/support/'],
  ['scripts/', 'scripts/lib/'],
]);
assertReads(await check(['dist/src', 'dist/workflows', 'dist/activities'], forbiddenInBuild, 'acorn'), [
  ['dist/workflows/', 'dist/workflows/'],
  ['dist/src/temporal/', 'dist/src/temporal/'],
]);
