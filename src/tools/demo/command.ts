import type { AccessToken } from '../../api/http/access.js';
import type { SandboxKey } from '../../app/config/index.js';
import { runDemo } from './driver.js';
import { DemoScreen } from './screen.js';

/** Plays the demo in the terminal; a demo that fails prints the reason and leaves everything running. */
export async function showDemo(
  at: { apiUrl: string; sandboxUrl: string | undefined; tokens: AccessToken[]; keys: SandboxKey[] },
  { signal, paceMs }: { signal: AbortSignal; paceMs?: number | undefined },
): Promise<void> {
  const { apiUrl, sandboxUrl } = at;
  const token = at.tokens.find(({ role }) => role !== 'viewer')?.token;
  const supplierKey = at.keys.find(({ role }) => role === 'supplier')?.key;
  if (sandboxUrl === undefined || token === undefined || supplierKey === undefined) return;
  const screen = new DemoScreen(process.stdout);
  process.stdout.write('  The demo (--no-demo leaves it out):\n\n');
  try {
    const stories = await runDemo({
      apiUrl,
      token,
      sandboxUrl,
      supplierKey,
      signal,
      paceMs,
      onProgress: (story) => screen.show(story),
    });
    if (!signal.aborted) process.stdout.write(`\n${DemoScreen.summary(stories)}\n`);
  } catch (error) {
    if (!signal.aborted) process.stdout.write(`\n  The demo stopped: ${(error as Error).message}\n`);
  }
}
