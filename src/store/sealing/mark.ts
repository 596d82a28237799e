import { createHash } from 'node:crypto';

/** Identifies equal requests of one command id. It can be guessed: store it encrypted (L60). */
export function markOf(commandId: string, request: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([commandId, request]))
    .digest('hex');
}
