import type { DataConverter, Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { type RefusedInput, refusedInput } from '../../contract/refused-input.js';
import { DamagedPayloadError, MisplacedPayloadError } from '../../store/sealing/errors.js';
import { isEncrypted, keyIdOf } from '../codec.js';

type Refused = RefusedInput[typeof refusedInput];

/**
 * The converter of a worker: what reaches a workflow without encryption, or encrypted for another workflow, comes to it as
 * a `RefusedInput`, by which its interceptor refuses the message. To throw here would fail the workflow's task for ever.
 * What an activity returns passes, for an operator may complete one by hand.
 */
export function refuseUnencrypted(converter: DataConverter): DataConverter {
  const { payloadCodecs = [] } = converter;
  if (payloadCodecs.length === 0) return converter;
  return { ...converter, payloadCodecs: payloadCodecs.map(refuseWith) };
}

function refuseWith(codec: PayloadCodec): PayloadCodec {
  /** Ids of keys that decrypted something: what cannot be decrypted under one of them was forged or changed. */
  const proven = new Set<string>();

  /** @throws `CodecError` where the key is missing or may be wrong: the task is tried again until it is right */
  async function decode(payload: Payload, context: SerializationContext): Promise<Payload> {
    if (!isEncrypted(payload)) return toRefused({ because: 'unencrypted', value: jsonOf(payload) });
    try {
      const [plain] = await codec.decode([payload], context);
      proven.add(keyIdOf(payload));
      return plain ?? toRefused({ because: 'damaged' });
    } catch (error) {
      if (error instanceof MisplacedPayloadError) return toRefused({ because: 'misplaced' });
      if (!(error instanceof DamagedPayloadError && proven.has(keyIdOf(payload)))) throw error;
      return toRefused({ because: 'damaged' });
    }
  }

  return {
    encode: (payloads, context) => codec.encode(payloads, context),
    async decode(payloads, context) {
      if (context?.type !== 'workflow') return codec.decode(payloads, context);
      return Promise.all(payloads.map((payload) => decode(payload, context)));
    },
  };
}

/** Undefined where it is not JSON, which no release of ours ever sent. */
function jsonOf({ metadata, data }: Payload): unknown {
  if (Buffer.from(metadata?.encoding ?? []).toString() !== 'json/plain') return undefined;
  try {
    return JSON.parse(Buffer.from(data ?? []).toString());
  } catch {
    return undefined;
  }
}

function toRefused(content: Refused): Payload {
  const input: RefusedInput = { [refusedInput]: content };
  return { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(input)) };
}
