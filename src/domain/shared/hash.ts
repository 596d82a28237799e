/** JSON with sorted keys, so that equal values have equal text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const parts = Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`);
    return `{${parts.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

// a global costs 0.1 µs at each use in workflow code: the sandbox intercepts it
const { imul } = Math;

/** Two 32-bit multiply-and-mix lanes over the text; 53 bits of them are used. */
function mix(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = imul(high ^ unit, 2654435761);
    low = imul(low ^ unit, 1597334677);
  }
  high = imul(high ^ (high >>> 16), 2246822507) ^ imul(low ^ (low >>> 13), 3266489909);
  low = imul(low ^ (low >>> 16), 2246822507) ^ imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** Fingerprint of a JSON value: distinguishes values in little state. Not for security. */
export function fingerprint(value: unknown): string {
  return mix(canonical(value)).toString(36);
}

/** A number in [0, 1) that depends on the text alone: jitter that a replay repeats. */
export function fraction(text: string): number {
  return mix(text) / 2 ** 53;
}
