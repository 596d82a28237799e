import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The first executable of that name on `searchPath` (the value of PATH). */
export async function findOnPath(command: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter((part) => part !== '')) {
    const path = join(folder, command);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}
