import { copyFile, rm, stat, truncate } from 'node:fs/promises';

export interface EngineLogOptions {
  /** Bytes of the log above which it is copied and emptied. */
  maxBytes?: number;
  everyMs?: number;
}

/**
 * Limits the size of the engine's log. Above 50 MiB the log is copied to `<log>.1`, which replaces the copy before, and
 * emptied. It is not renamed, because the engine appends to its open file. Where the copy fails, for example on a full
 * disk, the log is emptied without a copy at twice the size.
 * @returns a function that ends the checks
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
