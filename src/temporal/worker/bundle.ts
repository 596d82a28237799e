import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundlePath } from '@temporalio/worker';
import { failureConverterPath } from '../codec.js';

/**
 * Bundles workflow code into `file`, for workers of this very SDK version; with it the `interceptors.ts` beside it.
 * @param workflowsPath the module whose exports are the workflow types
 * @param isShared every module is evaluated once, and all workflows of a worker share it: only for code that keeps no module state
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
  });
  await writeFile(file, code);
  return { codePath: file };
}

/** The bundle that the build left beside the compiled code. @throws when this is no build */
export function builtBundle(): WorkflowBundlePath {
  const codePath = fileURLToPath(new URL('../../../workflow-bundle.js', import.meta.url));
  if (!existsSync(codePath)) throw new Error(`no workflow bundle at ${codePath}; run npm run build`);
  return { codePath };
}
