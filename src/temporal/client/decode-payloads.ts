import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';

/** Decodes payloads by the client's codecs: the last one that encoded them is the first. @throws what a codec throws */
export async function decodePayloads({ options }: Client, payloads: Payload[]): Promise<Payload[]> {
  let plain = payloads;
  for (const codec of options.loadedDataConverter.payloadCodecs.toReversed())
    plain = await codec.decode(plain);
  return plain;
}
