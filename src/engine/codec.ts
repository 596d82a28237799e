import { fileURLToPath } from 'node:url';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { CodecKey } from '../config.js';
import { KeyRing } from '../sealing/aes-gcm.js';
import { DamagedPayloadError } from '../sealing/errors.js';

const wire = proto.temporal.api.common.v1.Payload;

// `encoding` of the payload's metadata, as Temporal's own encryption samples write it
const encoding = Buffer.from('binary/encrypted');

/**
 * For every client and every worker (L60): payloads, memos, summaries and details are encrypted, and the texts and
 * stacks of failures with them. Search attributes are not: they hold nothing personal.
 * @param keys the first encrypts, all decrypt; at least one
 */
export function encryptingDataConverter(keys: readonly CodecKey[]): DataConverter {
  return { payloadCodecs: [createCodec(keys)], failureConverterPath };
}

/** A module that turns failures' texts into payloads; a path, for the bundle of the workflows takes it too. */
export const failureConverterPath = fileURLToPath(new URL('./codec-failure-converter.cjs', import.meta.url));

/**
 * AES-256-GCM over whole payloads: nonce, ciphertext and tag in `data`, the key's id in the metadata. What is not
 * encrypted passes through `decode` as it is.
 * @throws (`decode`) `UnknownKeyError`, `DamagedPayloadError`
 */
export function createCodec(keys: readonly CodecKey[]): PayloadCodec {
  const ring = new KeyRing(keys);
  return {
    encode: async (payloads) => payloads.map((payload) => encrypt(payload, ring)),
    decode: async (payloads) => payloads.map((payload) => decrypt(payload, ring)),
  };
}

function encrypt(payload: Payload, ring: KeyRing): Payload {
  const data = ring.encrypt(wire.encode(payload).finish());
  return { metadata: { encoding, 'encryption-key-id': Buffer.from(ring.keyId) }, data };
}

function decrypt(payload: Payload, ring: KeyRing): Payload {
  const { metadata, data } = payload;
  if (metadata?.encoding === undefined || !encoding.equals(metadata.encoding)) return payload;
  const keyId = Buffer.from(metadata['encryption-key-id'] ?? []).toString();
  const plain = ring.decrypt(keyId, data ?? new Uint8Array());
  try {
    return wire.decode(plain);
  } catch {
    throw new DamagedPayloadError(keyId);
  }
}
