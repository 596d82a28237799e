import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeOnSignal } from './signals.js';

/** A folder for one run of a bench, which removes it at its end. A signal that ends the bench removes it too. */
export async function benchFolder(bench: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `handover-bench-${bench}-`));
  removeOnSignal(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
