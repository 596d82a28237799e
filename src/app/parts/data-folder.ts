import { join } from 'node:path';
import { FolderInUseError, lockFolder } from '../../store/files/folder-lock.js';
import type { Setting } from '../startup/setting.js';
import type { Stack } from '../startup/stack.js';

/**
 * Locks the embedded engine of the data folder until this process stops: a second process would adopt the running engine
 * as a leftover, and stop it when it stops itself.
 * @throws `FolderInUseError` that names the data folder
 */
export async function holdEngine({ config }: Pick<Setting, 'config'>, stack: Stack): Promise<void> {
  const hold = () =>
    lockFolder(join(config.dataDir, 'embedded')).catch((error: unknown) => {
      throw error instanceof FolderInUseError ? new FolderInUseError(config.dataDir, error.pid) : error;
    });
  await stack.start('hold on the data folder', hold, (lock) => lock.release());
}
