const base64 = /^[A-Za-z0-9+/]{8,}={0,2}$/;

/**
 * Where `values` can be read in anything: in texts, in bytes, and in texts that are base64 of bytes.
 * @returns one entry per place; `path` like `events.3.signal.name`
 */
export function scan(kept: unknown, values: readonly string[]): { path: string; value: string }[] {
  const found: { path: string; value: string }[] = [];
  const look = (path: string, text: string) => {
    for (const value of values) if (text.includes(value)) found.push({ path, value });
  };
  walk(kept, (node, path) => {
    if (typeof node === 'string') {
      look(path, node);
      if (base64.test(node)) look(path, Buffer.from(node, 'base64').toString());
    } else if (node instanceof Uint8Array) look(path, Buffer.from(node).toString());
  });
  return found;
}

/** All encrypted payloads in anything, as protobuf's JSON form has them. */
export function encryptedPayloads(kept: unknown): { metadata: Record<string, string>; data: string }[] {
  const found: { metadata: Record<string, string>; data: string }[] = [];
  walk(kept, (node) => {
    const { metadata, data } = node as { metadata?: Record<string, Uint8Array>; data?: Uint8Array };
    if (!(data instanceof Uint8Array) || `${metadata?.encoding}` !== 'binary/encrypted') return;
    const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, inBase64(value)]);
    found.push({ metadata: Object.fromEntries(entries), data: inBase64(data) });
  });
  return found;
}

function inBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function walk(node: unknown, visit: (node: NonNullable<unknown>, path: string) => void, path = ''): void {
  if (node === null || node === undefined) return;
  visit(node, path);
  if (typeof node !== 'object' || node instanceof Uint8Array) return;
  for (const [name, child] of Object.entries(node)) {
    walk(name, visit, `${path}.${name} (the name)`);
    walk(child, visit, path === '' ? name : `${path}.${name}`);
  }
}
