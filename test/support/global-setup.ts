import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { endProcess } from '../../src/temporal/server/process-info.js';
import { provideEngine } from '../../src/temporal/server/provision/provide.js';
import { bundleWorkflows } from '../../src/temporal/worker/bundle.js';
import { startDevServer } from './dev-server.js';
import { createRunFolder } from './run-folder.js';

declare module 'vitest' {
  interface ProvidedContext {
    devServerPath: string;
    /** Of the run's one dev server. */
    devServerAddress: string;
    testServerPath: string;
    /** One bundle of `workflows/` for the whole run. */
    workflowBundlePath: string;
    /** A folder of this run; engines that a test starts stand there by process id until they are stopped. */
    runFolder: string;
  }
}

const onProgress = (line: string) => process.stderr.write(`${line}\n`);

/**
 * Gets both engines, starts one dev server for all files and bundles the workflows; at the end ends it, and the engines of
 * tests that could not.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TMPDIR } = process.env;
  const runFolder = await createRunFolder({ isOnDisk: process.env.HANDOVER_TEST_LONG === '1' });
  // of all tests and the programs that they start
  Object.assign(process.env, { HANDOVER_TEST_TEMPLATES: tmpdir(), TMPDIR: runFolder });
  const devServerPath = await provideEngine('dev-server', { onProgress });
  const [testServerPath, { address: devServerAddress }, workflowBundlePath] = await Promise.all([
    provideEngine('test-server', { onProgress }),
    startDevServer({ binary: devServerPath, folder: runFolder }),
    bundlePath(runFolder),
  ]);
  const provided: ProvidedContext = {
    runFolder,
    devServerPath,
    testServerPath,
    devServerAddress,
    workflowBundlePath,
  };
  for (const [name, value] of Object.entries(provided)) project.provide(name as keyof ProvidedContext, value);
  return async () => {
    delete process.env.HANDOVER_TEST_TEMPLATES;
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await endRun(runFolder);
  };
}

/** The product's bundle where the build is of these sources, as in `npm test`; one of the run's own otherwise. */
async function bundlePath(runFolder: string): Promise<string> {
  const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const { isBuilt } = await import(source('scripts/lib/build.mjs'));
  if (isBuilt()) return source('dist/workflow-bundle.js');
  const path = join(runFolder, 'workflow-bundle.js');
  // only the tests that need the bundle fail without it
  await bundleWorkflows(source('workflows/index.ts'), path, { isShared: true }).catch((error) =>
    onProgress(`workflows do not bundle: ${error}`),
  );
  return path;
}

async function endRun(runFolder: string): Promise<void> {
  for (const name of await readdir(runFolder).catch(() => [])) {
    const pid = /^engine-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined) await endProcess(Number(pid), 1_000);
  }
  await rm(runFolder, { recursive: true, force: true });
}
