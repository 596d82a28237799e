/**
 * An argument that came to a workflow as no client of ours sends it. The worker puts it in the place of the argument, and
 * the workflow refuses the message; what an earlier release accepted is replayed with `value`.
 */
export interface RefusedInput {
  [refusedInput]: { because: 'unencrypted' | 'damaged' | 'misplaced'; value?: unknown };
}

export const refusedInput = 'handover:refused-input';

/** Type of the failure with which a start or update of that kind is refused. */
export const notEncryptedType = 'NOT_ENCRYPTED';
