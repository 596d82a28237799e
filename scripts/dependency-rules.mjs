// Checks the rules of .dependency-cruiser.cjs, and that the check sees the code at all: without a parser that works
// dependency-cruiser reads nothing and is content.
import { createRequire } from 'node:module';
import { cruise, format } from 'dependency-cruiser';
import { root, say } from './lib/run.mjs';

process.chdir(root);
const { forbidden, options } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const resolveOptions = options.enhancedResolveOptions;

const { output } = await cruise(
  ['src', 'workflows', 'activities'],
  { ...options, ruleSet: { forbidden }, validate: true },
  resolveOptions,
);
const report = await format(output, { outputType: 'err' });
say(String(report.output).trim());
if (report.exitCode !== 0) process.exitCode = 1;

// one edge that must be there in each folder: imports were read and resolved
for (const [from, to] of [
  ['workflows/', 'src/contract/'],
  ['src/engine/', 'node_modules/@temporalio/'],
  ['activities/', 'src/contract/'],
]) {
  const seen = output.modules.some(
    ({ source, dependencies }) =>
      source.startsWith(from) && dependencies.some(({ resolved }) => resolved.startsWith(to)),
  );
  if (seen) continue;
  say(`the dependency check sees no import of ${to} in ${from}: it does not read the code`);
  process.exitCode = 1;
}
