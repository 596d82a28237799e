import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Compiles the product when `dist` is not of these sources, and gives the URL of one of its compiled modules. */
export async function builtModule(path: string): Promise<string> {
  const { ensureBuilt } = await import(pathToFileURL(`${root}scripts/lib/build.mjs`).href);
  await ensureBuilt();
  return pathToFileURL(`${root}dist/${path}`).href;
}

/** Runs JavaScript in a Node process of its own, standard output piped. */
export function runScript(script: string, args: string[]): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The first line that a process prints. @throws when it ends without one */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.on('close', (code) => reject(new Error(`ended with ${code} before its first line: ${text}`)));
  });
}
