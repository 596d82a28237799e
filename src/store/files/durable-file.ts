import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only the owner may read and write it. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

/** Writes a new file; its content is on disk when this resolves. Its name may not be: see `syncFolder`. */
export async function writeDurably(path: string, content: string): Promise<void> {
  await withFile(path, 'wx', async (file) => {
    await file.writeFile(content);
    await file.sync();
  });
}

/** The content of a file is on disk when this resolves. */
export async function syncFile(path: string): Promise<void> {
  await withFile(path, 'r+', (file) => file.sync());
}

/** The names in a folder are on disk when this resolves: a file that was created or renamed there survives a power failure. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and writes names at once
  if (process.platform === 'win32') return;
  await withFile(path, 'r', (folder) => folder.sync());
}

/** Creates a folder and its parents, accessible to the owner only; their names are on disk. */
export async function makePrivateFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: privateFolder });
  if (made === undefined) return;
  await syncFolder(dirname(made));
  if (made !== path) await syncFolder(dirname(path));
}

async function withFile(
  path: string,
  flags: string,
  use: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, privateFile);
  try {
    await use(file);
  } finally {
    await file.close();
  }
}
