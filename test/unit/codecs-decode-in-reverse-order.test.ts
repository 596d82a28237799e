import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { expect, it } from 'vitest';
import { decodePayloads } from '../../src/temporal/client/decode-payloads.js';

it('the codec that encoded last decodes first, as in the client itself', async () => {
  const order: string[] = [];
  const codec = (name: string) => ({
    async decode(payloads: Payload[]) {
      order.push(name);
      return payloads;
    },
  });
  const payloadCodecs = [codec('first'), codec('last')];
  const client = { options: { loadedDataConverter: { payloadCodecs } } } as unknown as Client;
  expect(await decodePayloads(client, [{}])).toEqual([{}]);
  expect(order).toEqual(['last', 'first']);
});
