import type { DataConverter, Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { type RefusedInput, refusedInput } from '../../contract/refused-input.js';
import { DamagedPayloadError, MisplacedPayloadError } from '../../store/sealing/errors.js';
import { isEncrypted, keyIdOf, scopeOf } from '../codec.js';

type Refused = RefusedInput[typeof refusedInput];

/**
 * A worker's converter that decodes a payload without encryption, or encrypted for another workflow, to a
 * `RefusedInput`. The workflow's interceptor then refuses the message; an error here would fail the workflow's task for
 * ever. Results of activities are accepted, because an operator may complete an activity by hand.
 */
export function refuseUnencrypted(converter: DataConverter): DataConverter {
  const { payloadCodecs = [] } = converter;
  if (payloadCodecs.length === 0) return converter;
  return { ...converter, payloadCodecs: payloadCodecs.map(refuseWith) };
}

function refuseWith(codec: PayloadCodec): PayloadCodec {
  /** Ids of keys that have decrypted a payload. A payload that such a key cannot decrypt was forged or changed. */
  const proven = new Set<string>();

  /** @throws `CodecError` where the key is missing or may be wrong: Temporal retries the task until the key is right */
  async function decode(payload: Payload, context: SerializationContext): Promise<Payload> {
    if (!isEncrypted(payload)) return toRefused({ because: 'unencrypted', value: jsonOf(payload) });
    try {
      // of a data key another workflow's payload: not even read, for its key may not exist
      const scope = scopeOf(payload);
      if (scope !== undefined && scope !== context.workflowId) return toRefused({ because: 'misplaced' });
      const [plain] = await codec.decode([payload], context);
      if (scope === undefined) proven.add(keyIdOf(payload));
      return plain ?? toRefused({ because: 'damaged' });
    } catch (error) {
      if (error instanceof MisplacedPayloadError) return toRefused({ because: 'misplaced' });
      // a data key was unwrapped, so it is the right one
      const isProven = scopeOf(payload) !== undefined || proven.has(keyIdOf(payload));
      if (!(error instanceof DamagedPayloadError && isProven)) throw error;
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

/** The JSON value; undefined where the payload is not JSON, which no release of Handover has sent. */
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
