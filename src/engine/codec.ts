import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { CodecKey } from '../config.js';
import { DamagedPayloadError, UnknownKeyError } from './codec-errors.js';

const wire = proto.temporal.api.common.v1.Payload;

// `encoding` of the payload's metadata, as Temporal's own encryption samples write it
const encoding = Buffer.from('binary/encrypted');
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

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
  const known = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  const [first] = keys;
  const secret = first && known.get(first.id);
  if (secret === undefined) throw new Error('a codec needs at least one key');
  const keyId = Buffer.from(first?.id ?? '');
  return {
    encode: async (payloads) => payloads.map((payload) => encrypt(payload, keyId, secret)),
    decode: async (payloads) => payloads.map((payload) => decrypt(payload, known)),
  };
}

function encrypt(payload: Payload, keyId: Uint8Array, key: KeyObject): Payload {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  const text = encryption.update(wire.encode(payload).finish());
  const end = encryption.final();
  const data = Buffer.concat([nonce, text, end, encryption.getAuthTag()]);
  return { metadata: { encoding, 'encryption-key-id': keyId }, data };
}

function decrypt(payload: Payload, known: ReadonlyMap<string, KeyObject>): Payload {
  const { metadata, data } = payload;
  if (metadata?.encoding === undefined || !encoding.equals(metadata.encoding)) return payload;
  const keyId = Buffer.from(metadata['encryption-key-id'] ?? []).toString();
  const key = known.get(keyId);
  if (key === undefined) throw new UnknownKeyError(keyId);
  const sealed = Buffer.from(data ?? []);
  try {
    const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decryption.setAuthTag(sealed.subarray(-tagBytes));
    const text = decryption.update(sealed.subarray(nonceBytes, -tagBytes));
    return wire.decode(Buffer.concat([text, decryption.final()]));
  } catch {
    throw new DamagedPayloadError(keyId);
  }
}
