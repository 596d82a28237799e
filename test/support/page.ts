import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';

/** What modules of the console find in a browser, for tests of them without one: these files have no types of a browser. */
export function stubPage(globals: Record<string, unknown> = {}): void {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const location = { pathname: '/', search: '', hash: '' };
  const all = { document, location, navigator: { language: 'en' }, ...globals };
  for (const [name, value] of Object.entries(all)) vi.stubGlobal(name, value);
}

/** Modules of the console with a state of their own, as each page has one. */
// biome-ignore lint/suspicious/noExplicitAny: modules without types
export async function loadModules(...paths: string[]): Promise<any[]> {
  vi.resetModules();
  return Promise.all(paths.map((path) => import(pathToFileURL(path).href)));
}
