const unstorable = /\0|\p{Surrogate}/u;

/** The path of the first string in `value` that a database cannot store (NUL, half a surrogate pair), or null. */
export function unstorableText(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return unstorable.test(value) ? path : null;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = unstorableText(inner, path === '' ? key : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}
