import { fileURLToPath } from 'node:url';
import type { DataConverter, Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import proto from '@temporalio/proto';
import { KeyRing } from '../store/sealing/aes-gcm.js';
import { type Binding, isBinding, payloadBinding } from '../store/sealing/binding.js';
import type { CodecKey } from '../store/sealing/codec-key.js';
import { DamagedPayloadError, MisplacedPayloadError } from '../store/sealing/errors.js';

const wire = proto.temporal.api.common.v1.Payload;

// `encoding` of the payload's metadata, as Temporal's own encryption samples write it
const encoding = Buffer.from('binary/encrypted');
const keyEntry = 'encryption-key-id';
const bindingEntry = 'encryption-binding';

export interface CodecOptions {
  /** False: payloads are encrypted as releases before 0.3.0 read them, bound to nothing. */
  bind?: boolean;
}

/**
 * For every client and every worker (L60): payloads, memos, summaries and details are encrypted, and the texts and
 * stacks of failures with them. Search attributes are not: they hold nothing personal.
 * @param keys the first encrypts, all decrypt; at least one
 */
export function encryptingDataConverter(keys: readonly CodecKey[], options?: CodecOptions): DataConverter {
  return { payloadCodecs: [createCodec(keys, options)], failureConverterPath };
}

/** A module that turns failures' texts into payloads; a path, for the bundle of the workflows takes it too. */
export const failureConverterPath = fileURLToPath(new URL('./codec-failure-converter.cjs', import.meta.url));

/**
 * AES-256-GCM over whole payloads: nonce, ciphertext and tag in `data`, the key's id in the metadata, and beside it the
 * binding to namespace and workflow id. Without a context, as the codec endpoint has none, the binding is not compared.
 * What is not encrypted passes through `decode` as it is; what earlier releases encrypted has no binding.
 * @throws (`decode`) `UnknownKeyError`, `DamagedPayloadError`, `MisplacedPayloadError`
 */
export function createCodec(keys: readonly CodecKey[], { bind = true }: CodecOptions = {}): PayloadCodec {
  const ring = new KeyRing(keys);
  return {
    async encode(payloads, context) {
      const [binding] = bind ? bindingsOf(context) : [];
      return payloads.map((payload) => encrypt(payload, ring, binding));
    },
    decode: async (payloads, context) => payloads.map((payload) => decrypt(payload, ring, context)),
  };
}

export function isEncrypted({ metadata }: Payload): boolean {
  return metadata?.encoding != null && encoding.equals(metadata.encoding);
}

/** Of an encrypted payload: the id of its key. */
export function keyIdOf({ metadata }: Payload): string {
  return Buffer.from(metadata?.[keyEntry] ?? []).toString();
}

function encrypt(payload: Payload, ring: KeyRing, binding: Binding | undefined): Payload {
  const data = ring.encrypt(wire.encode(payload).finish(), binding);
  const bound = binding === undefined ? {} : { [bindingEntry]: binding };
  return { metadata: { encoding, [keyEntry]: Buffer.from(ring.keyId), ...bound }, data };
}

function decrypt(payload: Payload, ring: KeyRing, context: SerializationContext | undefined): Payload {
  if (!isEncrypted(payload)) return payload;
  const { metadata, data } = payload;
  const keyId = keyIdOf(payload);
  const binding = metadata?.[bindingEntry];
  if (binding != null && !isBinding(binding)) throw new DamagedPayloadError(keyId);
  const expected = bindingsOf(context);
  if (isBinding(binding) && expected.length > 0 && !expected.some((one) => one.equals(binding))) {
    throw new MisplacedPayloadError(keyId);
  }
  const plain = ring.decrypt(keyId, data ?? new Uint8Array(), binding ?? undefined);
  try {
    return wire.decode(plain);
  } catch {
    throw new DamagedPayloadError(keyId);
  }
}

/** What a Schedule appends to the workflow id that its action names. */
const scheduledAt = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** The first is written, any is read; none: the context names no workflow. */
function bindingsOf(context: SerializationContext | undefined): Binding[] {
  const { namespace, workflowId } = context ?? {};
  if (namespace === undefined || workflowId === undefined) return [];
  const bindings = [payloadBinding(namespace, workflowId)];
  const action = workflowId.replace(scheduledAt, '');
  return action === workflowId ? bindings : [...bindings, payloadBinding(namespace, action)];
}
