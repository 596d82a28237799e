import { createHash, randomUUID } from 'node:crypto';
import type { Disk } from 'flydrive';

/** The action that a photo is uploaded for. */
export interface PhotoUse {
  reservationId: number;
  commandId: string;
}

/** The name of an upload: its content, and the action it was uploaded for. */
export interface UploadName {
  /** Hex SHA-256 of the content. */
  hash: string;
  reservationId: number;
  /** `commandMark` of the action's command id. */
  command: string;
}

/** Stands for a command id, which may contain characters that a file name must not have. Hex. */
export function commandMark(commandId: string): string {
  return createHash('sha256').update(commandId).digest('hex').slice(0, 32);
}

/** A unique name, also where two requests have the same photo and command id. */
export function uploadName(hash: string, { reservationId, commandId }: PhotoUse): string {
  return `${hash}.${reservationId}.${commandMark(commandId)}.${randomUUID()}`;
}

/** Undefined: `name` is not the name of an upload. */
export function readUploadName(name: string): UploadName | undefined {
  const [, hash, reservation, command] =
    /^([0-9a-f]{64})\.(\d{1,16})\.([0-9a-f]{32})\.[0-9a-f-]{36}$/.exec(name) ?? [];
  if (hash === undefined || reservation === undefined || command === undefined) return undefined;
  return { hash, reservationId: Number(reservation), command };
}

/** Every file below a folder of a disk, by key; empty where the folder does not exist. */
export async function keysBelow(disk: Disk, folder: string): Promise<string[]> {
  const keys: string[] = [];
  let paginationToken: string | undefined;
  do {
    const options = { recursive: true, ...(paginationToken !== undefined && { paginationToken }) };
    const page = await disk.listAll(folder, options).catch((error: unknown) => {
      if (isAbsent(error)) return { paginationToken: undefined, objects: [] };
      throw error;
    });
    for (const one of page.objects) if (one.isFile) keys.push(one.key);
    ({ paginationToken } = page);
  } while (paginationToken !== undefined);
  return keys;
}

function isAbsent(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ((at as NodeJS.ErrnoException).code === 'ENOENT') return true;
  }
  return false;
}
