const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @returns the JSON value; undefined where the bytes are no UTF-8 or no JSON */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}
