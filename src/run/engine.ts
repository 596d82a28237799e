import { holdEngine } from './data-folder.js';
import { embeddedSetting } from './setting.js';
import { startEngine } from './temporal.js';
import { say, untilStopped } from './until-stopped.js';

/** `handover engine`: the embedded Temporal alone. */
export async function engine(env: NodeJS.ProcessEnv): Promise<void> {
  const setting = await embeddedSetting(env);
  await untilStopped(setting, async (stack) => {
    await holdEngine(setting, stack);
    const { address, uiUrl, failed } = await startEngine(setting, stack, say);
    say(`Temporal on ${address}, UI on ${uiUrl ?? 'no port'}`);
    return { failed };
  });
}
