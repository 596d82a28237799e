import { holdEngine } from '../parts/data-folder.js';
import { startEngine } from '../parts/engine.js';
import { embeddedSetting } from '../startup/setting.js';
import { printLine, untilStopped } from '../startup/until-stopped.js';

/** `handover engine`: the embedded Temporal alone. */
export async function runEngine(env: NodeJS.ProcessEnv): Promise<void> {
  const setting = await embeddedSetting(env);
  await untilStopped(setting, async (stack) => {
    await holdEngine(setting, stack);
    const { address, uiUrl } = await startEngine(setting, stack, { onProgress: printLine });
    printLine(`Temporal on ${address}, UI on ${uiUrl ?? 'no port'}`);
  });
}
