import { fileURLToPath } from 'node:url';
import { startReporting } from '../child.js';
import { environment } from '../program-settings.js';

/** Starts a floor in a process of its own: `bare` stores nothing, `signal` signals Temporal before it answers. */
export async function startFloor(
  kind: 'bare' | 'signal',
  folder: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const script = fileURLToPath(new URL('floor-process.js', import.meta.url));
  const { report, stop } = await startReporting<{ url: string }>(`floor-${kind}`, script, [kind, folder], {
    folder,
    env: environment(),
  });
  return { url: report.url, stop };
}
