import { randomBytes } from 'node:crypto';
import type { Payload, SerializationContext } from '@temporalio/common';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { argumentNotReadType } from '../../src/contract/attempt.js';
import { erased } from '../../src/contract/erased.js';
import { rowsOf } from '../../src/store/connection/rows.js';
import { createDataKeys } from '../../src/store/data-keys.js';
import type { HandoverDatabase, HandoverDb } from '../../src/store/handover.js';
import { DamagedPayloadError, MissingDataKeyError } from '../../src/store/sealing/errors.js';
import { ringWrap } from '../../src/store/sealing/key-wrap.js';
import { createCodec } from '../../src/temporal/codec.js';
import { refuseUnencrypted } from '../../src/temporal/worker/refuse-unencrypted.js';
import { publicTestKey } from '../support/codec.js';
import { onOneDatabase } from '../support/database.js';

const second = { id: 'second', key: randomBytes(32) };
const silent = {
  execute: async () => Promise.reject(new Error('silent')),
} as unknown as HandoverDb;
const json = (value: unknown): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});
const of = (workflowId: string): SerializationContext => ({ type: 'workflow', namespace: 'n', workflowId });
const textOf = (payloads: Payload[]) => payloads.map(({ data }) => Buffer.from(data ?? []).toString());
const keyNames = (payloads: Payload[]) =>
  payloads.map(({ metadata }) => Buffer.from(metadata?.['encryption-key-id'] ?? []).toString());

onOneDatabase('L60: data keys', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database?.close());

  const keysOn = (db: HandoverDb, { ring = [publicTestKey], now = Date.now, areWritten = true } = {}) =>
    createDataKeys(db, { wrap: ringWrap(ring), remainsOf: async () => undefined, now, areWritten });
  const codecOf = (dataKeys = keysOn(database.prompt)) => createCodec([publicTestKey], { dataKeys });
  const destroy = (scope: string) =>
    database.db.execute(
      sql`update data_keys set wrapped = null, destroyed_at = now() where scope = ${scope}`,
    );
  const countOf = async (scope: string) =>
    rowsOf(await database.db.execute(sql`select 1 from data_keys where scope = ${scope}`)).length;

  it('payloads of a reservation, a booking and a hold are each under their own key, all others under the ring', async () => {
    const codec = codecOf();
    const ids = ['reservation-1', 'booking-b', 'hold-h', 'role-supplier', 'reconciliation'];
    const all = await Promise.all(ids.map((id) => codec.encode([json(id)], of(id))));
    expect(all.flatMap(keyNames)).toEqual([
      expect.stringMatching(/^data:reservation-1#[0-9a-f]{12}$/),
      expect.stringMatching(/^data:booking-b#[0-9a-f]{12}$/),
      expect.stringMatching(/^data:hold-h#[0-9a-f]{12}$/),
      'public-test-key',
      'public-test-key',
    ]);
    const elsewhere = codecOf();
    for (const [index, id] of ids.entries()) {
      const payloads = all[index] ?? [];
      expect(textOf(await elsewhere.decode(payloads, of(id)))).toEqual([JSON.stringify(id)]);
      // as the codec endpoint does, without a context
      expect(textOf(await elsewhere.decode(payloads))).toEqual([JSON.stringify(id)]);
    }
  });

  it('what was encrypted under the ring before is still read', async () => {
    const before = await createCodec([publicTestKey]).encode([json('before')], of('reservation-2'));
    expect(textOf(await codecOf().decode(before, of('reservation-2')))).toEqual(['"before"']);
  });

  it('one key does not decrypt the payload of another, even with its name on it', async () => {
    const codec = codecOf();
    const [payload] = await codec.encode([json('of 3')], of('reservation-3'));
    const [other] = await codec.encode([json('of 4')], of('reservation-4'));
    const renamed = {
      ...payload,
      metadata: {
        ...payload?.metadata,
        'encryption-key-id': other?.metadata?.['encryption-key-id'] ?? new Uint8Array(),
      },
    };
    await expect(codec.decode([renamed])).rejects.toThrow(DamagedPayloadError);
  });

  it('twenty processes that need the key of a new reservation at once make one', async () => {
    const codecs = Array.from({ length: 20 }, () => codecOf());
    const all = await Promise.all(codecs.map((codec) => codec.encode([json('x')], of('reservation-5'))));
    expect(await countOf('reservation-5')).toBe(1);
    const reader = codecOf();
    for (const payloads of all) expect(textOf(await reader.decode(payloads))).toEqual(['"x"']);
  });

  it('keys of many reservations that are new together are made by one statement, also where some are there or destroyed', async () => {
    const scopes = Array.from({ length: 20 }, (_, index) => `reservation-${500 + index}`);
    const [there = '', gone = ''] = scopes;
    const elsewhere = keysOn(database.prompt);
    const known = await elsewhere.forWriting(there);
    await elsewhere.forWriting(gone);
    await destroy(gone);
    let statements = 0;
    const counted = {
      execute: (query: Parameters<HandoverDb['execute']>[0]) => {
        statements += 1;
        return database.prompt.execute(query);
      },
    } as unknown as HandoverDb;
    const dataKeys = keysOn(counted);
    const made = await Promise.all(scopes.map((scope) => dataKeys.forWriting(scope)));
    expect(statements).toBe(1);
    expect(made.slice(0, 2)).toEqual([known, 'destroyed']);
    const reader = keysOn(database.prompt);
    expect(await Promise.all(scopes.map((scope) => reader.forReading(scope)))).toEqual(made);
  });

  it('reading never makes a key: one that is missing is an error that names its scope', async () => {
    const [payload] = await codecOf().encode([json('x')], of('reservation-6'));
    await database.db.execute(sql`delete from data_keys where scope = 'reservation-6'`);
    const error = await codecOf()
      .decode(payload ? [payload] : [])
      .catch((e) => e);
    expect(error).toBeInstanceOf(MissingDataKeyError);
    expect(error.message).toContain('reservation-6');
    expect(await countOf('reservation-6')).toBe(0);
  });

  it('after the restore of an older database what is under the lost key lacks it, and is not taken for damaged', async () => {
    const scope = 'reservation-17';
    const lost = await codecOf().encode([json('before')], of(scope));
    const [newer] = rowsOf<{ wrapped: string }>(
      await database.db.execute(
        sql`select encode(wrapped, 'base64') as wrapped from data_keys where scope = ${scope}`,
      ),
    );
    await database.db.execute(sql`delete from data_keys where scope = ${scope}`);
    const since = await codecOf().encode([json('since')], of(scope));
    const worker = refuseUnencrypted({ payloadCodecs: [codecOf()] }).payloadCodecs?.[0];
    // an error, so the workflow waits: as damaged the message would be dropped
    await expect(worker?.decode(lost, of(scope))).rejects.toMatchObject({
      code: 'CODEC_KEY_UNKNOWN',
      keyId: keyNames(lost)[0],
    });
    expect(textOf(await codecOf().decode(since, of(scope)))).toEqual(['"since"']);
    await database.db.execute(
      sql`update data_keys set wrapped = decode(${newer?.wrapped}, 'base64') where scope = ${scope}`,
    );
    expect(textOf(await codecOf().decode(lost, of(scope)))).toEqual(['"before"']);
    await expect(codecOf().decode(since, of(scope))).rejects.toThrow(MissingDataKeyError);
  });

  it('the version of a key stays the same when it is wrapped again', async () => {
    const [before, after] = [
      keysOn(database.prompt),
      keysOn(database.prompt, { ring: [second, publicTestKey] }),
    ];
    const named = keyNames(await codecOf(before).encode([json('x')], of('reservation-18')));
    for (let last: string | null = ''; last !== null; ) ({ last } = await after.wrapAgain(100, last));
    expect(keyNames(await codecOf(after).encode([json('x')], of('reservation-18')))).toEqual(named);
  });

  it('the database holds no key in plain text, and a wrapped one fits no other row', async () => {
    const codec = codecOf();
    const payloads = await codec.encode([json('x')], of('reservation-7'));
    await codec.encode([json('x')], of('reservation-8'));
    await database.db.execute(
      sql`update data_keys set wrapped = (select wrapped from data_keys where scope = 'reservation-8') where scope = 'reservation-7'`,
    );
    await expect(codecOf().decode(payloads)).rejects.toThrow('another row');
  });

  it('a key under an older key of the ring is read after a rotation', async () => {
    const payloads = await codecOf().encode([json('x')], of('reservation-9'));
    const rotated = createCodec([second, publicTestKey], {
      dataKeys: keysOn(database.prompt, { ring: [second, publicTestKey] }),
    });
    expect(textOf(await rotated.decode(payloads, of('reservation-9')))).toEqual(['"x"']);
  });

  it('a key in memory needs no database', async () => {
    let reads = 0;
    const counting = {
      execute: (query: never) => {
        reads++;
        return database.prompt.execute(query);
      },
    } as unknown as HandoverDb;
    const codec = codecOf(keysOn(counting));
    for (let i = 0; i < 50; i++) {
      const payloads = await codec.encode([json(i)], of('reservation-10'));
      await codec.decode(payloads, of('reservation-10'));
    }
    expect(reads).toBe(1);
  });

  it('while the database is silent a known key serves on, and an unknown one is a failure that names its kind', async () => {
    let db: HandoverDb = database.prompt;
    let now = Date.now();
    const swapped = { execute: (query: never) => db.execute(query) } as unknown as HandoverDb;
    const codec = codecOf(keysOn(swapped, { now: () => now }));
    const payloads = await codec.encode([json('x')], of('reservation-11'));
    const unknown = await codecOf().encode([json('y')], of('reservation-12'));
    db = silent;
    now += 14 * 60_000;
    expect(textOf(await codec.decode(payloads, of('reservation-11')))).toEqual(['"x"']);
    // an erasure elsewhere may have destroyed it
    now += 60_001;
    await expect(codec.decode(payloads, of('reservation-11'))).rejects.toMatchObject({
      name: argumentNotReadType,
    });
    await expect(codec.decode(unknown)).rejects.toMatchObject({ name: argumentNotReadType });
    await expect(codec.encode([json('z')], of('reservation-13'))).rejects.toMatchObject({
      name: 'DataKeyNotMade',
    });
    db = database.prompt;
    expect(textOf(await codec.decode(unknown))).toEqual(['"y"']);
  });

  it('a destroyed key leaves a tombstone in every process within a minute', async () => {
    let now = 0;
    const elsewhere = codecOf(keysOn(database.prompt, { now: () => now }));
    const payloads = await elsewhere.encode([json({ driver: 'Hong' })], of('reservation-14'));
    await destroy('reservation-14');
    expect(textOf(await codecOf().decode(payloads))).toEqual([JSON.stringify(erased)]);
    now = 60_000;
    expect(textOf(await elsewhere.decode(payloads))).toEqual([JSON.stringify(erased)]);
    // an answer about an erased reservation is under the ring, and readable
    const answer = await elsewhere.encode([json('closed')], of('reservation-14'));
    expect(keyNames(answer)).toEqual(['public-test-key']);
    expect(textOf(await elsewhere.decode(answer, of('reservation-14')))).toEqual(['"closed"']);
  });

  it('CODEC_DATA_KEYS=off writes none, compresses nothing, and reads those that are there', async () => {
    const payloads = await codecOf().encode([json('x')], of('reservation-15'));
    const off = codecOf(keysOn(database.prompt, { areWritten: false }));
    const [long] = await off.encode([json('x'.repeat(5_000))], of('reservation-16'));
    expect(long?.data?.length).toBeGreaterThan(5_000);
    expect(keyNames(await off.encode([json('y')], of('reservation-16')))).toEqual(['public-test-key']);
    expect(textOf(await off.decode(payloads, of('reservation-15')))).toEqual(['"x"']);
  });
});
