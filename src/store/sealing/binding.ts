import { createHash } from 'node:crypto';

/**
 * Binds a ciphertext to its place: 16 bytes of additional authenticated data, stored beside it. A ciphertext that was moved
 * to another place does not match there, and one whose binding was changed cannot be decrypted.
 */
export type Binding = Buffer;

const bytes = 16;

/** For a payload in Temporal. Cached, because messages of one workflow arrive together. */
export function payloadBinding(namespace: string, workflowId: string): Binding {
  const place = `${namespace}/${workflowId}`;
  let binding = remembered.get(place);
  if (binding === undefined) {
    binding = bindingOf('payload', namespace, workflowId);
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(place, binding);
  }
  return binding;
}

const remembered = new Map<string, Binding>();
const mostRemembered = 5_000;

/** For a sealed column. @param row table and id, such as `inbox/17` */
export function rowBinding(row: string): Binding {
  return bindingOf('row', row);
}

export const isBinding = (found: Uint8Array | null | undefined): found is Uint8Array =>
  found?.length === bytes;

function bindingOf(...names: string[]): Binding {
  return createHash('sha256').update(JSON.stringify(names)).digest().subarray(0, bytes);
}
