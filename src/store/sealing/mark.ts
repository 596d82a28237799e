import { createHash } from 'node:crypto';

/**
 * Identifies equal requests that start a workflow. It can be guessed: store it encrypted (L60). Marks in stored rows and
 * memos are of this form, so it stays beside `markOf` of the requests to a workflow.
 */
export function startMarkOf(commandId: string, request: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([commandId, request]))
    .digest('hex');
}
