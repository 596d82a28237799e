import type { CodecAccess } from '../../api/deps.js';
import { createCodec } from '../../temporal/codec.js';
import type { Config } from '../config/index.js';

/** The codec endpoint of Temporal UI; undefined: it is off. @param uiUrl of the embedded UI */
export function codecAccess(
  { keys, endpointToken: token, uiOrigin }: Config['codec'],
  uiUrl: string | undefined,
): CodecAccess | undefined {
  if (token === undefined) return undefined;
  // a person may open either address
  const embedded = uiUrl === undefined ? [] : [uiUrl, uiUrl.replace('//127.0.0.1', '//localhost')];
  const codec = createCodec(keys);
  return {
    token,
    uiOrigins: uiOrigin === undefined ? embedded : [...embedded, uiOrigin],
    decode: (payloads) => codec.decode(payloads),
  };
}
