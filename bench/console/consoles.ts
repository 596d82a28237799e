import { fileURLToPath } from 'node:url';
import { endProgram, startProgram } from '../child.js';

export interface ConsoleLoad {
  /** Of the stream of changes. */
  url: string;
  /** Where the board is read. */
  boardUrl: string;
  token: string;
  consoles: number;
}

/** What consoles did, as they report it when they end. */
export interface ConsoleFigures {
  events: number;
  reads: number;
  failed: number;
  /** Streams that ended before the consoles did. */
  lost: number;
}

/** Consoles in a process of its own, each with its stream of changes and the reads of its Now screen. */
export async function openConsoles(
  load: ConsoleLoad,
  folder: string,
): Promise<() => Promise<ConsoleFigures>> {
  const script = fileURLToPath(new URL('consoles-process.js', import.meta.url));
  const args = [JSON.stringify(load)];
  const child = startProgram('consoles', script, args, { folder, cpuProf: undefined, stdout: 'pipe' });
  let output = '';
  const isOpen = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (bytes) => {
      output += bytes;
      if (output.includes('\n')) resolve();
    });
    child.once('exit', () => reject(new Error('the consoles did not open')));
  });
  await isOpen;
  return async () => {
    await endProgram(child);
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as ConsoleFigures;
  };
}
