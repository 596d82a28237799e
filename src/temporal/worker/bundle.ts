import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundlePath } from '@temporalio/worker';
import { failureConverterPath } from '../codec.js';

type ConfigHook = NonNullable<Parameters<typeof bundleWorkflowCode>[0]['webpackConfigHook']>;

const adjustBundling: ConfigHook = (config) => {
  // positions for stack traces, without the sources: the workflow thread holds the map as long as it lives
  config.devtool = 'inline-nosources-source-map';
  for (const rule of config.module?.rules ?? []) {
    if (!rule || rule === '...' || !rule.use || typeof rule.use !== 'object' || !('options' in rule.use))
      continue;
    const { options } = rule.use;
    // as the rest of the program (tsconfig.json): in the SDK's ES2017 each object spread calls functions that look globals up in the
    // sandbox, a sixth of a replay's CPU
    if (typeof options === 'object' && options.jsc) options.jsc.target = 'es2023';
  }
  return config;
};

/**
 * Bundles workflow code and the `interceptors.ts` next to it into `file`, for workers of the same SDK version.
 * @param workflowsPath the module whose exports are the workflow types
 * @param isShared evaluates every module once and shares it among all workflows of a worker: only for code without
 *   module state
 */
export async function bundleWorkflows(
  workflowsPath: string,
  file: string,
  { isShared = false } = {},
): Promise<WorkflowBundlePath> {
  const logger = new DefaultLogger('WARN');
  const beside = join(dirname(workflowsPath), 'interceptors.ts');
  const interceptors = existsSync(beside) ? [beside] : [];
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: interceptors,
    failureConverterPath,
    preloadModules: isShared ? [workflowsPath, ...interceptors] : [],
    logger,
    webpackConfigHook: adjustBundling,
  });
  await writeFile(file, code);
  return { codePath: file };
}

/** The bundle that the build wrote next to the compiled code. @throws when the code runs from its sources */
export function builtBundle(): WorkflowBundlePath {
  const codePath = fileURLToPath(new URL('../../../workflow-bundle.js', import.meta.url));
  if (!existsSync(codePath)) throw new Error(`no workflow bundle at ${codePath}; run npm run build`);
  return { codePath };
}
