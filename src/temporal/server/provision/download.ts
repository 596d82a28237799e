import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { EngineSpec } from './engines.js';
import { run } from './run.js';
import type { OnProgress } from './sources.js';

/**
 * The SDK downloads an engine only when it starts one, and that start installs the SDK's runtime with default options.
 * So the download runs in a process of its own.
 */
const script = `
const [sdk, engine, downloadDir, version] = process.argv.slice(1);
const { TestWorkflowEnvironment } = (await import(sdk)).default;
const executable = { type: 'cached-download', downloadDir, version };
const create = engine === 'dev-server' ? 'createLocal' : 'createTimeSkipping';
try {
  await (await TestWorkflowEnvironment[create]({ server: { executable } })).teardown();
} catch (error) {
  const message = String(error?.message ?? error).replaceAll('\\n', ' ');
  console.error(message.includes('error sending request') ? 'temporal.download cannot be reached' : message);
  process.exit(1);
}
`;

/** Writes the engine's binary to `folder`, by the SDK's download. */
export async function download(
  spec: EngineSpec,
  folder: string,
  env: NodeJS.ProcessEnv,
  onProgress: OnProgress,
): Promise<void> {
  const sdk = createRequire(import.meta.url).resolve('@temporalio/testing');
  const args = ['--input-type=module', '-e', script, sdk, spec.engine, folder, spec.downloadVersion];
  await run(process.execPath, args, {
    env,
    cwd: folder,
    progress: `${spec.title}: downloading it (once)`,
    onProgress,
  });
  await rename(join(folder, downloadedName(spec)), join(folder, spec.binary));
}

/** The SDK's file name: `temporal-v1.5.1`, with the suffix of an executable. */
function downloadedName(spec: EngineSpec): string {
  const [stem, ending] = spec.binary.endsWith('.exe')
    ? [spec.binary.slice(0, -4), '.exe']
    : [spec.binary, ''];
  return `${stem}-${spec.downloadVersion}${ending}`;
}
