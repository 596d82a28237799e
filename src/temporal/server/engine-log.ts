import { copyFile, rm, stat, truncate } from 'node:fs/promises';

export interface EngineLogOptions {
  /** The log is set aside beyond this size. */
  maxBytes?: number;
  everyMs?: number;
}

/**
 * Keeps the engine's log from filling the disk: beyond 50 MiB it is copied to `<log>.1`, the only one that is stored, and
 * emptied. The engine appends to the file it has open, so it is not renamed. Where the copy fails, on a full disk for one,
 * the log is emptied without it at twice the size.
 * @returns what ends the watch
 */
export function boundEngineLog(
  log: string,
  { maxBytes = 50 * 1024 * 1024, everyMs = 60_000 }: EngineLogOptions = {},
): () => void {
  let isBusy = false;
  const check = async () => {
    if (isBusy) return;
    isBusy = true;
    await setAside(log, maxBytes).catch(() => {});
    isBusy = false;
  };
  const timer = setInterval(check, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function setAside(log: string, maxBytes: number): Promise<void> {
  const { size } = await stat(log);
  if (size <= maxBytes) return;
  const aside = `${log}.1`;
  try {
    await copyFile(log, aside);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => {});
    if (size <= 2 * maxBytes) throw error;
  }
  await truncate(log);
}
