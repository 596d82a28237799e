import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProvidedContext } from 'vitest';
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

interface TestRun {
  provided: ProvidedContext;
  end(): Promise<void>;
}
/** The projects of one run share what the first of them sets up; each loads this module for itself. */
const shared = globalThis as { handoverTestRun?: Promise<TestRun> };

/** Gets both engines and bundles the workflows once; at the end ends the engines of tests that could not. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.handoverTestRun ??= startRun();
  const { provided, end } = await shared.handoverTestRun;
  for (const [name, value] of Object.entries(provided)) project.provide(name as keyof ProvidedContext, value);
  return end;
}

async function startRun(): Promise<TestRun> {
  const runFolder = await mkdtemp(join(tmpdir(), 'handover-test-'));
  const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const provided = {
    runFolder,
    devServerPath: await provideEngine('dev-server', { onProgress }),
    testServerPath: await provideEngine('test-server', { onProgress }),
    workflowBundlePath: join(runFolder, 'workflow-bundle.js'),
  };
  // only the tests that need the bundle fail without it
  await bundleWorkflows(source('workflows/index.ts'), provided.workflowBundlePath, {
    isShared: true,
  }).catch((error) => onProgress(`workflows do not bundle: ${error}`));
  return { provided, end: () => endRun(runFolder) };
}

async function endRun(runFolder: string): Promise<void> {
  for (const name of await readdir(runFolder).catch(() => [])) {
    const pid = /^engine-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined) await endProcess(Number(pid), 1_000);
  }
  await rm(runFolder, { recursive: true, force: true });
}
