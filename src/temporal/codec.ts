import { fileURLToPath } from 'node:url';
import type { DataConverter, Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import proto from '@temporalio/proto';
import { erased } from '../contract/erased.js';
import { dataKeyScope } from '../contract/names.js';
import { Tombstones } from '../domain/shared/tombstones.js';
import { decryptUnder, encryptUnder, KeyRing, nonceBytes } from '../store/sealing/aes-gcm.js';
import { type Binding, isBinding, payloadBinding } from '../store/sealing/binding.js';
import type { CodecKey } from '../store/sealing/codec-key.js';
import { type DataKey, type DataKeys, destroyed } from '../store/sealing/data-keys.js';
import {
  CodecError,
  DamagedPayloadError,
  DataKeyNotRead,
  MisplacedPayloadError,
  MissingDataKeyError,
} from '../store/sealing/errors.js';
import { compress, decompress } from './compression.js';

const wire = proto.temporal.api.common.v1.Payload;

// `encoding` of the payload's metadata, as Temporal's own encryption samples write it
const encoding = Buffer.from('binary/encrypted');
const keyEntry = 'encryption-key-id';
const bindingEntry = 'encryption-binding';

const jsonMetadata = { encoding: Buffer.from('json/plain'), erased: Buffer.from('true') };

/** Where a payload names its data key: before its scope, and before its version. No key of CODEC_KEYS has a colon in its id. */
const dataKeyPrefix = 'data:';
const versionMark = '#';

export interface CodecOptions {
  /** False: payloads are encrypted as releases before 0.3.0 read them, bound to nothing. */
  bind?: boolean;
  /** Absent: everything is under the key ring, as releases before 0.4.0 read it. */
  dataKeys?: DataKeys | undefined;
}

/**
 * For every client and every worker (L60): payloads, memos, summaries and details are encrypted, and the texts and
 * stacks of failures with them. Search attributes are not: they hold nothing personal.
 * @param keys the first encrypts, all decrypt; at least one
 */
export function encryptingDataConverter(keys: readonly CodecKey[], options?: CodecOptions): DataConverter {
  return { payloadCodecs: [createCodec(keys, options)], failureConverterPath };
}

/**
 * The same converter for what must be sent while the database is away: under the key ring where the data key cannot be had, as what an
 * activity returns.
 */
export function withoutWaitingForKeys(converter: DataConverter): DataConverter {
  const { payloadCodecs = [] } = converter;
  return {
    ...converter,
    payloadCodecs: payloadCodecs.map((codec) => ({
      encode: (payloads, context) =>
        codec.encode(payloads, context && { ...context, type: 'activity', isLocal: false }),
      decode: (payloads, context) => codec.decode(payloads, context),
    })),
  };
}

/** A module that turns failures' texts into payloads; a path, for the bundle of the workflows takes it too. */
export const failureConverterPath = fileURLToPath(new URL('./codec-failure-converter.cjs', import.meta.url));

/**
 * AES-256-GCM over whole payloads: nonce, ciphertext and tag in `data`, the key's id in the metadata, and beside it the
 * binding to namespace and workflow id. The workflow id selects the key that encrypts: the data key of its reservation,
 * booking or hold, else the first of the ring. Under a data key a payload is compressed first; under the ring it is not,
 * because 0.3.0 reads that. The key id selects the key that decrypts, because the codec endpoint has no
 * context; without one, the binding is not compared.
 * Where an activity cannot get its data key, or rows are returned to their workflow, payloads are under the ring: an erasure deletes their run.
 * What is not encrypted passes through `decode` as it is; what earlier releases encrypted has no binding. What was erased
 * becomes a tombstone.
 * @throws `CodecError`, `KeyStoreError`
 */
export function createCodec(keys: readonly CodecKey[], options: CodecOptions = {}): PayloadCodec {
  const { bind = true, dataKeys } = options;
  const ring = new KeyRing(keys);
  return {
    async encode(payloads, context) {
      if (payloads.length === 0) return [];
      const [binding] = bind ? bindingsOf(context) : [];
      const scope = context?.workflowId === undefined ? undefined : dataKeyScope(context.workflowId);
      if (dataKeys === undefined || scope === undefined) {
        return payloads.map((payload) => encryptByRing(payload, ring, binding));
      }
      const key = await dataKeyFor(scope, dataKeys, context);
      // nothing that is written after an erasure is to be erased: a closed reservation that is asked for its tombstones
      if (key === destroyed || key === undefined)
        return payloads.map((payload) => encryptByRing(payload, ring, binding));
      const keyId = `${dataKeyPrefix}${scope}${versionMark}${key.version}`;
      return payloads.map((payload) =>
        sealed(keyId, encryptUnder(key.key, compress(wire.encode(payload).finish()), binding), binding),
      );
    },
    decode: (payloads, context) =>
      Promise.all(payloads.map((payload) => decrypt(payload, { ring, dataKeys }, context))),
  };
}

export function isEncrypted({ metadata }: Payload): boolean {
  return metadata?.encoding != null && encoding.equals(metadata.encoding);
}

/** Of an encrypted payload: the id of its key. */
export function keyIdOf({ metadata }: Payload): string {
  return Buffer.from(metadata?.[keyEntry] ?? []).toString();
}

/** Of an encrypted payload: the scope of its data key; undefined: it is under the key ring. */
export function scopeOf(payload: Payload): string | undefined {
  const keyId = keyIdOf(payload);
  return keyId.startsWith(dataKeyPrefix)
    ? keyId.slice(dataKeyPrefix.length, keyId.lastIndexOf(versionMark))
    : undefined;
}

/** By which a payload under a data key is known after its erasure. */
export function nonceOf({ data }: Payload): Uint8Array {
  return (data ?? new Uint8Array()).subarray(0, nonceBytes);
}

/**
 * The wire forms of what an erasure leaves of the payloads of one workflow id, in their order. All of them together: the state that a
 * run passes to the next has fingerprints of what others state.
 */
export function remainsOf(payloads: readonly Payload[]): Uint8Array[] {
  const tombstones = new Tombstones();
  for (const payload of payloads) if (encodingOf(payload) === json) tombstones.learn(readJson(payload));
  return payloads.map((payload) => wire.encode(erasePayload(payload, tombstones)).finish());
}

function erasePayload(payload: Payload, tombstones: Tombstones): Payload {
  const metadata = payload.metadata ?? {};
  if (encodingOf(payload) === 'binary/null') return { metadata };
  if (encodingOf(payload) !== json) return toTombstone(undefined);
  return { metadata, data: Buffer.from(JSON.stringify(tombstones.replace(readJson(payload)))) };
}

const json = 'json/plain';

function encodingOf({ metadata }: Payload): string {
  return Buffer.from(metadata?.encoding ?? []).toString();
}

function readJson({ data }: Payload): unknown {
  return JSON.parse(Buffer.from(data ?? []).toString());
}

/** Undefined: no answer in time for an activity, whose worker would end if what it did, or why it failed, could not be encrypted. */
async function dataKeyFor(
  scope: string,
  dataKeys: DataKeys,
  context: SerializationContext | undefined,
): Promise<DataKey | undefined> {
  try {
    return await dataKeys.forWriting(scope);
  } catch (error) {
    if (context?.type === 'activity') return undefined;
    throw error;
  }
}

function encryptByRing(payload: Payload, ring: KeyRing, binding: Binding | undefined): Payload {
  return sealed(ring.keyId, ring.encrypt(wire.encode(payload).finish(), binding), binding);
}

function sealed(keyId: string, data: Buffer, binding: Binding | undefined): Payload {
  const bound = binding === undefined ? {} : { [bindingEntry]: binding };
  return { metadata: { encoding, [keyEntry]: Buffer.from(keyId), ...bound }, data };
}

/** For an activity whose argument needs a key that this process lacks, the failure states that it did nothing. */
async function decrypt(
  payload: Payload,
  keys: { ring: KeyRing; dataKeys: DataKeys | undefined },
  context: SerializationContext | undefined,
): Promise<Payload> {
  try {
    return await decrypted(payload, keys, context);
  } catch (cause) {
    const isKeyMissing = cause instanceof CodecError && cause.code === 'CODEC_KEY_UNKNOWN';
    throw isKeyMissing && context?.type === 'activity' ? new DataKeyNotRead({ cause }) : cause;
  }
}

async function decrypted(
  payload: Payload,
  { ring, dataKeys }: { ring: KeyRing; dataKeys: DataKeys | undefined },
  context: SerializationContext | undefined,
): Promise<Payload> {
  if (!isEncrypted(payload)) return payload;
  const keyId = keyIdOf(payload);
  const binding = payload.metadata?.[bindingEntry] ?? undefined;
  if (binding !== undefined && !isBinding(binding)) throw new DamagedPayloadError(keyId);
  const expected = bindingsOf(context);
  if (binding !== undefined && expected.length > 0 && !expected.some((one) => one.equals(binding))) {
    throw new MisplacedPayloadError(keyId);
  }
  const data = payload.data ?? new Uint8Array();
  const scope = scopeOf(payload);
  if (scope === undefined || dataKeys === undefined)
    return plainOf(ring.decrypt(keyId, data, binding), keyId);
  const key = await dataKeys.forReading(scope);
  if (key === destroyed) return toTombstone(await dataKeys.remainsOf(scope, nonceOf(payload)));
  if (!keyId.endsWith(`${versionMark}${key.version}`)) throw new MissingDataKeyError(keyId);
  return plainOf(decryptUnder(key.key, keyId, data, binding), keyId);
}

function plainOf(plain: Uint8Array, keyId: string): Payload {
  try {
    // in memory of its own: the SDK clones the whole buffer of a payload for the thread of the workflows
    return wire.decode(decompress(plain));
  } catch {
    throw new DamagedPayloadError(keyId);
  }
}

/** What a reader finds where a payload was: what remains of it, or that it is gone. */
function toTombstone(remains: Uint8Array | undefined): Payload {
  if (remains === undefined) return { metadata: jsonMetadata, data: Buffer.from(JSON.stringify(erased)) };
  const { metadata, data } = wire.decode(remains);
  return { metadata: { ...metadata, erased: jsonMetadata.erased }, data };
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
