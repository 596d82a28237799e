import type { DataConverter } from '@temporalio/common';
import type { CodecAccess } from '../../api/deps.js';
import { isEncrypted, scopeOf } from '../../temporal/codec.js';
import type { Config } from '../config/index.js';

/**
 * The codec endpoint of a status API: decodes what its own client does.
 * @param uiUrl of the embedded Temporal UI
 * @returns undefined: there is none
 */
export function codecAccess(
  { endpointToken: token, uiOrigin }: Config['codec'],
  { payloadCodecs: [codec] = [] }: DataConverter,
  uiUrl: string | undefined,
): CodecAccess | undefined {
  if (token === undefined || codec === undefined) return undefined;
  // a person may open either address
  const embedded = uiUrl === undefined ? [] : [uiUrl, uiUrl.replace('//127.0.0.1', '//localhost')];
  return {
    token,
    uiOrigins: uiOrigin === undefined ? embedded : [...embedded, uiOrigin],
    decode: (payloads) => codec.decode(payloads),
    subjectOf: (payload) => (isEncrypted(payload) ? (scopeOf(payload)?.replace('-', '/') ?? '') : undefined),
  };
}
