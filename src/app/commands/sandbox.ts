import { startSandboxPart } from '../parts/sandbox.js';
import { embeddedSetting } from '../startup/setting.js';
import { printLine, untilStopped } from '../startup/until-stopped.js';

/** `handover sandbox`: the platform alone, on its own database. */
export async function runSandbox(env: NodeJS.ProcessEnv): Promise<void> {
  const setting = await embeddedSetting(env);
  const { port, keys } = setting.config.sandbox;
  await untilStopped(setting, async (stack) => {
    const { url } = await startSandboxPart(setting, stack, { port });
    printLine(`sandbox platform on ${url} (OpenAPI: ${url}/docs)`);
    for (const { role, key } of keys) printLine(`  key ${role.padEnd(8)}  ${key}`);
  });
}
