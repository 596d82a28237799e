import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Launch, launch } from '../../src/temporal/server/dev-server-process.js';
import { waitUntilServing } from '../../src/temporal/server/health.js';
import { freePort } from '../../src/temporal/server/ports.js';
import { endProcess } from '../../src/temporal/server/process-info.js';

interface Wanted {
  binary: string;
  /** Of this run: for its log, and for a note by its process id until it is stopped. */
  folder: string;
  settings?: Launch['settings'];
}

/** Starts a dev server with its state in memory. A free port can be lost before it listens: then another one is tried. */
export async function startDevServer({
  binary,
  folder,
  settings = {},
}: Wanted): Promise<{ address: string; stop(): Promise<void> }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const log = join(folder, `engine-${port}.log`);
    const engine = launch({ binary, port, uiPort: null, database: null, log, settings });
    const note = join(folder, `engine-${engine.pid}`);
    await writeFile(note, '');
    const stop = async () => {
      await endProcess(engine.pid, 0);
      await rm(note, { force: true });
    };
    const address = `127.0.0.1:${port}`;
    const trouble = await waitUntilServing(address, 'default', 30_000, engine.ended);
    if (trouble === undefined) return { address, stop };
    await stop();
    if (attempt === 3) throw new Error(trouble);
  }
}
