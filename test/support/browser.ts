import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's package, as `.ci/run` installs it. */
const executablePath = '/usr/bin/chromium';

export const hasBrowser = existsSync(executablePath);
/** For the title of what is skipped without one. */
export const withoutBrowser = hasBrowser ? '' : ` (skipped: no ${executablePath})`;

export function openBrowser(): Promise<Browser> {
  // a container's root has no user namespaces
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
