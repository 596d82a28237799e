import { randomBytes } from 'node:crypto';
import type { Payload, SerializationContext } from '@temporalio/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encryptUnder } from '../../src/store/sealing/aes-gcm.js';
import { destroyed } from '../../src/store/sealing/data-keys.js';
import { DamagedPayloadError, DataKeyNotRead, UnknownKeyError } from '../../src/store/sealing/errors.js';
import { createCodec } from '../../src/temporal/codec.js';
import { MemoryDataKeys } from '../support/data-keys.js';

const key = (id: string) => ({ id, key: randomBytes(32) });
const [first, second, foreign] = [key('k1'), key('k2'), key('k3')];
const codec = createCodec([first]);

const json = (value: unknown): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});
const one = async (payloads: Promise<Payload[]>): Promise<Payload> =>
  (await payloads)[0] ?? expect.fail('none');
const encrypted = (value: unknown, by = codec) => one(by.encode([json(value)]));
/** By content: Buffers and plain byte arrays are the same. */
const plain = ({ metadata, data }: Payload) => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('hex')]),
  ),
  data: Buffer.from(data ?? []).toString('hex'),
});

const bytes = fc.uint8Array({ maxLength: 300 });
const payload: fc.Arbitrary<Payload> = fc.record({
  metadata: fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), bytes, { maxKeys: 4 }),
  data: bytes,
});

describe('L60: the payload codec', () => {
  it('gives back every payload as it was, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(payload, { maxLength: 5 }), async (payloads) => {
        const back = await codec.decode(await codec.encode(payloads));
        expect(back.map(plain)).toEqual(payloads.map(plain));
      }),
    );
  });

  it('shows neither content nor type, and never the same bytes twice', async () => {
    const [once, again] = [await encrypted('Gil-dong Hong'), await encrypted('Gil-dong Hong')];
    expect(Object.keys(once.metadata ?? {}).sort()).toEqual(['encoding', 'encryption-key-id']);
    expect(`${once.metadata?.encoding}`).toBe('binary/encrypted');
    expect(`${once.metadata?.['encryption-key-id']}`).toBe('k1');
    expect(`${once.data}`).not.toMatch(/Hong|json/);
    expect(plain(once).data).not.toBe(plain(again).data);
  });

  it('passes payloads in plain text unchanged', async () => {
    const payloads = [json('old'), {}, { metadata: {} }, { data: Buffer.from('x') }];
    expect(await codec.decode(payloads)).toEqual(payloads);
  });

  it('rotation: the first key encrypts, all decrypt', async () => {
    const before = await encrypted('before');
    const rotated = createCodec([second, first]);
    const after = await encrypted('after', rotated);
    expect(`${after.metadata?.['encryption-key-id']}`).toBe('k2');
    expect((await rotated.decode([before, after])).map(plain)).toEqual(
      [json('before'), json('after')].map(plain),
    );
  });

  it('a missing key is named', async () => {
    const error = await codec.decode([await encrypted('x', createCodec([foreign]))]).catch((e) => e);
    expect(error).toBeInstanceOf(UnknownKeyError);
    expect(error).toMatchObject({
      code: 'CODEC_KEY_UNKNOWN',
      message: expect.stringMatching(/"k3".*CODEC_KEYS/),
    });
  });

  it('whatever byte is changed, and wherever it is cut, it is refused', async () => {
    const { metadata = {}, data: sealed } = await encrypted({ name: 'Gil-dong Hong' });
    const data = sealed ?? expect.fail('no data');
    const refused = async (changed: Uint8Array) => {
      const error = await codec.decode([{ metadata, data: changed }]).catch((e) => e);
      expect(error).toBeInstanceOf(DamagedPayloadError);
      expect(error).toMatchObject({
        code: 'CODEC_PAYLOAD_DAMAGED',
        message: expect.not.stringContaining('Hong'),
      });
    };
    for (let at = 0; at < data.length; at++) {
      const changed = Uint8Array.from(data);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await refused(changed);
      await refused(data.subarray(0, at));
    }
  });

  it('another key under the same id is refused', async () => {
    const impostor = createCodec([{ id: 'k1', key: randomBytes(32) }]);
    await expect(impostor.decode([await encrypted('x')])).rejects.toBeInstanceOf(DamagedPayloadError);
  });

  it('there is no codec without a key', () => {
    expect(() => createCodec([])).toThrow('at least one key');
  });
});

describe('L60: the payload codec under a data key', () => {
  const dataKeys = new MemoryDataKeys();
  const withDataKeys = createCodec([first], { dataKeys });
  const context = {
    type: 'workflow',
    namespace: 'n',
    workflowId: 'reservation-8421',
  } as SerializationContext;
  const sizeOf = ({ data }: Payload) => data?.length ?? 0;
  const repetitive = json(Array.from({ length: 60 }, (_, commandId) => ({ commandId, state: 'applied' })));

  it('gives back payloads of every size as they were, none in more bytes than without compression', async () => {
    const anySize = fc.record({
      metadata: fc.constant({ encoding: Buffer.from('binary/plain') }),
      data: fc.oneof(
        fc.uint8Array({ maxLength: 3_000 }),
        fc.string({ maxLength: 3_000 }).map((text) => new Uint8Array(Buffer.from(text))),
        fc.nat({ max: 100_000 }).map((length) => new Uint8Array(length)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(payload, anySize), async (given) => {
        const sealed = await one(withDataKeys.encode([given], context));
        expect(sizeOf(sealed)).toBeLessThanOrEqual(sizeOf(await one(codec.encode([given], context))));
        expect(plain(await one(withDataKeys.decode([sealed], context)))).toEqual(plain(given));
      }),
      { numRuns: 200 },
    );
  });

  it('a payload that repeats itself takes less than half of its bytes; under the key ring none is compressed, because 0.3.0 reads that', async () => {
    expect(sizeOf(await one(withDataKeys.encode([repetitive], context)))).toBeLessThan(
      sizeOf(repetitive) / 2,
    );
    expect(sizeOf(await one(codec.encode([repetitive], context)))).toBeGreaterThan(sizeOf(repetitive));
  });

  it('the length of a ciphertext, which outlives the key, does not distinguish a text from others of its length', async () => {
    const sizes = new Set<number>();
    for (let number = 0; number < 500; number++) {
      const phone = `010${(number * 7_919_393) % 100_000_000}`.padEnd(11, '7');
      const view = json({ driver: { name: 'Gil-dong Hong', phone }, note: `${repetitive.data}` });
      sizes.add(sizeOf(await one(withDataKeys.encode([view], context))));
    }
    expect(sizes.size).toBeLessThanOrEqual(2);
  });

  it('an authentic payload that is no compressed message is damaged', async () => {
    const sealed = await one(withDataKeys.encode([repetitive], context));
    const key = dataKeys.forReading('reservation-8421');
    if (key === destroyed) expect.fail('erased');
    const binding = sealed.metadata?.['encryption-binding'] ?? expect.fail('not bound');
    for (const text of [Buffer.of(0), Buffer.of(0, 1, 2, 3), Buffer.of(0, 0xff)]) {
      const data = encryptUnder(key.key, text, binding);
      await expect(withDataKeys.decode([{ ...sealed, data }], context)).rejects.toThrow(DamagedPayloadError);
    }
  });

  it.each([
    ['below 512 bytes', 10],
    ['that was compressed', 3_000],
  ])(
    'a payload %s is read into memory of its own, because threads pass on the whole of it',
    async (_, length) => {
      for (const by of [codec, withDataKeys]) {
        const back = await one(by.decode(await by.encode([json('x'.repeat(length))], context), context));
        expect(back.data?.buffer.byteLength).toBeLessThan(length + 100);
      }
    },
  );
});

it('L30: an argument of an activity under a key that this process lacks states that nothing was sent; elsewhere the key is named', async () => {
  const unknown = await encrypted('x', createCodec([foreign]));
  const read = (type: 'activity' | 'workflow') =>
    codec.decode([unknown], { type, namespace: 'n', workflowId: 'w' } as SerializationContext);
  await expect(read('activity')).rejects.toThrow(DataKeyNotRead);
  await expect(read('workflow')).rejects.toThrow(UnknownKeyError);
});
