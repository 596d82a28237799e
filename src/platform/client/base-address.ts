import type { Role } from '../model.js';

/**
 * @returns the origin to connect to, and the path prefix without a trailing slash
 * @throws Error when it is not an http(s) address, or has credentials, a query or a fragment
 */
export function baseAddress(baseUrl: string): { origin: string; prefix: string } {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new Error(
      'the platform base address must be http(s)://host[:port][/path], without credentials or query',
    );
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/** @throws Error when a key cannot be sent in a header; without this check, undici's error would print the key */
export function headerSafe(keys: Partial<Record<Role, string>>): Partial<Record<Role, string>> {
  for (const [role, key] of Object.entries(keys))
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
      throw new Error(`the ${role} API key must be visible ASCII characters without blanks`);
  return keys;
}
