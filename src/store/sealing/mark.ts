import { createHash } from 'node:crypto';

/**
 * Identifies equal requests that start a workflow. It can be guessed: store it encrypted (L60). Stored rows and memos have
 * this form, so it cannot be replaced by `markOf`, which requests to a running workflow use.
 */
export function startMarkOf(commandId: string, request: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([commandId, request]))
    .digest('hex');
}
