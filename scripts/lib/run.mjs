import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Prints one line for the user. */
export function printLine(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a JavaScript tool of node_modules with this Node. Returns its exit code. */
export function tool(script, args, env = {}) {
  const { status, error } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  return status ?? 1;
}

/** Runs a command without its output, and prints every ten seconds that it still runs. Rejects with its output. */
export function runQuietly(command, args, title) {
  printLine(title);
  const begun = Date.now();
  const heartbeat = setInterval(
    () => printLine(`${title} ${Math.round((Date.now() - begun) / 1000)} s`),
    10_000,
  );
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk) => {
    output += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(output.trim() || `exit code ${code}`)),
    );
  }).finally(() => clearInterval(heartbeat));
}
