import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { endProcess } from '../../src/temporal/server/process-info.js';
import { provideEngine } from '../../src/temporal/server/provision/provide.js';
import { bundleWorkflows } from '../../src/temporal/worker/bundle.js';

declare module 'vitest' {
  interface ProvidedContext {
    devServerPath: string;
    testServerPath: string;
    /** One bundle of `workflows/` for the whole run. */
    workflowBundlePath: string;
    /** A folder of this run; engines that a test starts stand there by process id until they are stopped. */
    runFolder: string;
  }
}

const onProgress = (line: string) => process.stderr.write(`${line}\n`);

/** Gets both engines and bundles the workflows once; at the end ends the engines of tests that could not. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runFolder = await mkdtemp(join(tmpdir(), 'handover-test-'));
  const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  project.provide('runFolder', runFolder);
  project.provide('devServerPath', await provideEngine('dev-server', { onProgress }));
  project.provide('testServerPath', await provideEngine('test-server', { onProgress }));
  const bundlePath = join(runFolder, 'workflow-bundle.js');
  project.provide('workflowBundlePath', bundlePath);
  // only the tests that need the bundle fail without it
  await bundleWorkflows(source('workflows/index.ts'), bundlePath, [
    source('src/domain/reservation/index.ts'),
  ]).catch((error) => onProgress(`workflows do not bundle: ${error}`));
  return async () => {
    for (const name of await readdir(runFolder)) {
      const pid = /^engine-(\d+)$/.exec(name)?.[1];
      if (pid !== undefined) await endProcess(Number(pid), 1_000);
    }
    await rm(runFolder, { recursive: true, force: true });
  };
}
