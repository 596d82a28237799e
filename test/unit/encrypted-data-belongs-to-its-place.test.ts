import { randomBytes } from 'node:crypto';
import type { Payload, SerializationContext } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import {
  DamagedPayloadError,
  MisplacedPayloadError,
  UnknownKeyError,
} from '../../src/store/sealing/errors.js';
import { createSealer } from '../../src/store/sealing/sealer.js';
import { createCodec } from '../../src/temporal/codec.js';
import { refuseUnencrypted } from '../../src/temporal/worker/refuse-unencrypted.js';

const key = { id: 'k1', key: randomBytes(32) };
const codec = createCodec([key]);
const before = createCodec([key], { bind: false });

const workflow = (workflowId: string, namespace = 'default'): SerializationContext => ({
  type: 'workflow',
  namespace,
  workflowId,
});
const activity = (workflowId?: string): SerializationContext => ({
  type: 'activity',
  namespace: 'default',
  activityId: '1',
  isLocal: false,
  ...(workflowId !== undefined && { workflowId }),
});
const json = (value: unknown): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});
const one = async (payloads: Promise<Payload[]>): Promise<Payload> =>
  (await payloads)[0] ?? expect.fail('none');
const textOf = ({ data }: Payload) => Buffer.from(data ?? []).toString();

describe('L60: a payload belongs to its namespace and workflow', () => {
  it('a payload is decrypted in its workflow and in its activities', async () => {
    const sealed = await one(codec.encode([json('mine')], workflow('reservation-1')));
    for (const context of [workflow('reservation-1'), activity('reservation-1'), activity(), undefined]) {
      expect(textOf(await one(codec.decode([sealed], context)))).toBe('"mine"');
    }
  });

  it.each([
    ['another workflow', workflow('reservation-2')],
    ['an activity of another workflow', activity('reservation-2')],
    ['another namespace', workflow('reservation-1', 'supplier')],
  ])('%s refuses it', async (_, context) => {
    const sealed = await one(codec.encode([json('mine')], workflow('reservation-1')));
    const error = await codec.decode([sealed], context).catch((e) => e);
    expect(error).toBeInstanceOf(MisplacedPayloadError);
    expect(error.code).toBe('CODEC_PAYLOAD_DAMAGED');
  });

  it('a payload whose binding was changed, cut off or forged cannot be decrypted', async () => {
    const sealed = await one(codec.encode([json('mine')], workflow('reservation-1')));
    const other = await one(codec.encode([json('x')], workflow('reservation-2')));
    const { 'encryption-binding': binding, ...metadata } = sealed.metadata ?? {};
    const moved = {
      ...sealed,
      metadata: { ...metadata, 'encryption-binding': other.metadata?.['encryption-binding'] },
    };
    for (const forged of [
      moved,
      { ...sealed, metadata },
      { ...sealed, metadata: { ...metadata, 'encryption-binding': binding?.subarray(1) } },
    ]) {
      const error = await codec.decode([forged as Payload], workflow('reservation-2')).catch((e) => e);
      expect(error).toBeInstanceOf(DamagedPayloadError);
    }
  });

  it('a workflow that a Schedule starts reads the payload encrypted for its action', async () => {
    const sealed = await one(codec.encode([json('start')], workflow('reconciliation')));
    const started = workflow('reconciliation-2026-11-22T09:15:00Z');
    expect(textOf(await one(codec.decode([sealed], started)))).toBe('"start"');
    await expect(codec.decode([sealed], workflow('reconciliation-2'))).rejects.toThrow(MisplacedPayloadError);
  });

  it('payloads of earlier releases are read, and CODEC_BINDING=off writes that form', async () => {
    const old = await one(before.encode([json('old')], workflow('reservation-1')));
    expect(Object.keys(old.metadata ?? {}).sort()).toEqual(['encoding', 'encryption-key-id']);
    expect(textOf(await one(codec.decode([old], workflow('reservation-1'))))).toBe('"old"');
    const bound = await one(codec.encode([json('new')], workflow('reservation-1')));
    expect(textOf(await one(before.decode([bound], workflow('reservation-1'))))).toBe('"new"');
    await expect(before.decode([bound], workflow('reservation-2'))).rejects.toThrow(MisplacedPayloadError);
  });
});

describe('L60: a worker passes a payload that is not encrypted for the workflow as refused', () => {
  const converter = refuseUnencrypted({ payloadCodecs: [codec] });
  const decode = async (
    payload: Payload,
    context: SerializationContext | undefined = workflow('reservation-1'),
  ) =>
    JSON.parse(textOf(await one(converter.payloadCodecs?.[0]?.decode([payload], context) ?? expect.fail())));
  const refused = (content: object) => ({ 'handover:refused-input': content });

  it('an encrypted payload is passed unchanged', async () => {
    expect(await decode(await one(codec.encode([json({ a: 1 })], workflow('reservation-1'))))).toEqual({
      a: 1,
    });
  });

  it('a payload in plain text, for another workflow or damaged, is passed with the reason', async () => {
    expect(await decode(json({ a: 1 }))).toEqual(refused({ because: 'unencrypted', value: { a: 1 } }));
    const broken = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{') };
    for (const payload of [broken, {}, { metadata: {} }, { data: Buffer.from('x') }]) {
      expect(await decode(payload)).toEqual(refused({ because: 'unencrypted' }));
    }
    const other = await one(codec.encode([json('x')], workflow('reservation-2')));
    expect(await decode(other)).toEqual(refused({ because: 'misplaced' }));
    const damaged = {
      ...(await one(codec.encode([json('x')], workflow('reservation-1')))),
      data: Buffer.alloc(40),
    };
    expect(await decode(damaged)).toEqual(refused({ because: 'damaged' }));
  });

  it('a payload that cannot be decrypted fails while no payload proves that the key is right', async () => {
    const fresh = refuseUnencrypted({ payloadCodecs: [codec] }).payloadCodecs?.[0] ?? expect.fail();
    const sealed = await one(codec.encode([json('x')], workflow('reservation-1')));
    const damaged = { ...sealed, data: Buffer.alloc(40) };
    await expect(fresh.decode([damaged], workflow('reservation-1'))).rejects.toThrow(DamagedPayloadError);
    await fresh.decode([sealed], workflow('reservation-1'));
    const [late] = await fresh.decode([damaged], workflow('reservation-1'));
    expect(JSON.parse(textOf(late ?? {}))).toEqual(refused({ because: 'damaged' }));
  });

  it('an unknown key fails, so that nothing is lost while it is missing', async () => {
    const foreign = createCodec([{ id: 'k2', key: randomBytes(32) }]);
    const sealed = await one(foreign.encode([json('x')], workflow('reservation-1')));
    await expect(decode(sealed)).rejects.toThrow(UnknownKeyError);
  });

  it('the result of an activity is accepted in plain text: an operator may complete one by hand', async () => {
    expect(await decode(json({ done: true }), activity('reservation-1'))).toEqual({ done: true });
  });
});

describe('L60: a sealed column belongs to its row', () => {
  const sealer = createSealer([key]);

  it('a sealed value is opened in its row, and refused in another row or table', () => {
    const sealed = sealer.seal(Buffer.from('PERSONAL'), 'case_files/1');
    expect(sealed.toString('latin1')).not.toContain('PERSONAL');
    expect(sealer.open(sealed, 'case_files/1').toString()).toBe('PERSONAL');
    for (const row of ['case_files/2', 'holds/1', '']) {
      expect(() => sealer.open(sealed, row)).toThrow(MisplacedPayloadError);
    }
  });

  it('a sealed value with a changed byte or a cut anywhere is refused', () => {
    const sealed = sealer.seal(Buffer.from('PERSONAL'), 'holds/1');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealer.open(changed, 'holds/1')).toThrow(/cannot be decrypted|not among CODEC_KEYS/);
      expect(() => sealer.open(sealed.subarray(0, at), 'holds/1')).toThrow();
    }
  });

  it('values of earlier releases are opened, and CODEC_BINDING=off seals in that form', () => {
    const old = createSealer([key], { bind: false }).seal(Buffer.from('old'), 'holds/1');
    expect(old[0]).toBe(1);
    expect(sealer.open(old, 'holds/2').toString()).toBe('old');
    const off = createSealer([key], { bind: false });
    expect(off.open(sealer.seal(Buffer.from('new'), 'holds/1'), 'holds/1').toString()).toBe('new');
  });
});
