import { beforeEach, describe, expect, it } from 'vitest';
import { ReadCache } from '../../src/platform/catalogue/cache.js';
import { CatalogueError } from '../../src/platform/catalogue/error.js';
import { carsChannel, watchChanges } from '../../src/store/cars/changes.js';
import { EmbeddedSessions } from '../../src/store/connection/embedded/sessions.js';
import type { Session } from '../../src/store/connection/session.js';
import { eventually } from '../support/eventually.js';
import { FakeFleet } from '../support/fake-fleet.js';

const second = 1_000;
const minute = 60 * second;

/** A reading that ends when the test says so. */
function held<T>() {
  let loads = 0;
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  const load = () => {
    loads += 1;
    return promise;
  };
  return { load, resolve: (value: T) => resolve(value), loads: () => loads };
}

describe('F24: answers of the platform are cached for a while, with their age', () => {
  let now = 0;
  let cache: ReadCache;
  let reads: number;
  beforeEach(() => {
    now = 1_000_000;
    reads = 0;
    cache = new ReadCache({ freshMs: minute, staleMs: 15 * minute, mostObjects: 10, now: () => now });
  });
  const load = async () => ++reads;
  const failing = (code: 'TIMEOUT' | 'NOT_FOUND' | 'RATE_LIMITED', retryAfterMs?: number) => async () => {
    reads++;
    throw new CatalogueError(code, 'failed', retryAfterMs);
  };
  const codeOf = (read: Promise<unknown>) =>
    read.then(
      () => 'read',
      (error: CatalogueError) => error.code,
    );

  it('F24: an answer is fresh for its time, then read again; its age is reported', async () => {
    expect(await cache.read('a', load)).toEqual({ value: 1, asOf: now, ageMs: 0, staleBecause: null });
    now += 44 * second;
    expect(await cache.read('a', load)).toEqual({
      value: 1,
      asOf: now - 44 * second,
      ageMs: 44 * second,
      staleBecause: null,
    });
    expect(reads).toBe(1);
    now += minute;
    expect(await cache.read('a', load)).toMatchObject({ value: 2, ageMs: 0 });
    expect(await cache.read('b', load)).toMatchObject({ value: 3 });
  });

  it('F24: in the last quarter of its time an answer is read again, and no caller waits for it', async () => {
    await cache.read('a', load);
    now += 45 * second;
    const gate = held<number>();
    expect(await cache.read('a', gate.load)).toMatchObject({ value: 1 });
    expect(await cache.read('a', gate.load)).toMatchObject({ value: 1, ageMs: 45 * second });
    expect(gate.loads()).toBe(1);
    gate.resolve(7);
    await eventually('it is there', async () => (await cache.read('a', load)).value === 7);
    now += 46 * second;
    await cache.read('a', failing('TIMEOUT'));
    now += second;
    expect(await cache.read('a', failing('TIMEOUT'))).toMatchObject({ value: 7, staleBecause: null });
    expect(reads).toBe(2);
    now += 5 * second;
    await cache.read('a', load);
    await eventually('and again', async () => (await cache.read('a', load)).value === 3);
  });

  it('F24: the age of an answer counts from the start of the read', async () => {
    const slow = async () => {
      now += 5 * second;
      return 'slow';
    };
    expect(await cache.read('a', slow)).toMatchObject({ ageMs: 5 * second });
  });

  it('F24: one read at a time for a key, however many callers', async () => {
    const gate = held<string>();
    const asked = [1, 2, 3].map(() => cache.read('a', gate.load));
    gate.resolve('once');
    expect((await Promise.all(asked)).map(({ value }) => value)).toEqual(['once', 'once', 'once']);
    expect(gate.loads()).toBe(1);
  });

  it('F24: a caller after a change gets no answer whose read began before it', async () => {
    const gate = held<string>();
    const before = cache.read('a', gate.load);
    cache.forget((key) => key === 'a');
    const after = cache.read('a', async () => 'after');
    gate.resolve('before');
    expect((await before).value).toBe('before');
    expect((await after).value).toBe('after');
    expect((await cache.read('a', load)).value).toBe('after');
    cache.forget(() => true);
    expect((await cache.read('a', load)).value).toBe(1);
  });

  it('F24: a failed read returns the last answer with the failure, for a quarter of an hour', async () => {
    await cache.read('a', load);
    now += 2 * minute;
    expect(await cache.read('a', failing('TIMEOUT'))).toMatchObject({
      value: 1,
      ageMs: 2 * minute,
      staleBecause: 'TIMEOUT',
    });
    now += 13 * minute;
    expect(await codeOf(cache.read('a', failing('TIMEOUT')))).toBe('TIMEOUT');
    expect(await cache.read('a', load)).toMatchObject({ staleBecause: null });
  });

  it('F24: after a failure the platform gets no request for a moment, or for its Retry-After', async () => {
    await cache.read('a', load);
    now += 2 * minute;
    await cache.read('a', failing('RATE_LIMITED', 30 * second));
    now += 29 * second;
    expect(await cache.read('a', load)).toMatchObject({ value: 1, staleBecause: 'RATE_LIMITED' });
    now += second;
    expect(await cache.read('a', load)).toMatchObject({ value: 3, staleBecause: null });
  });

  it('F24: neither a deleted object nor an error of our own returns an old answer', async () => {
    await cache.read('a', load);
    now += 2 * minute;
    expect(await codeOf(cache.read('a', failing('NOT_FOUND')))).toBe('NOT_FOUND');
    expect(await codeOf(cache.read('a', failing('TIMEOUT')))).toBe('TIMEOUT');
    await cache.read('b', load);
    now += 2 * minute;
    const ours = async () => {
      throw new RangeError('ours');
    };
    await expect(cache.read('b', ours)).rejects.toThrow(RangeError);
  });

  it('F24: the cache holds a bounded number of objects, and evicts the least recently used first', async () => {
    const weight = (objects: number) => [load, () => objects] as const;
    await cache.read('a', ...weight(4));
    await cache.read('b', ...weight(4));
    await cache.read('a', load);
    await cache.read('c', ...weight(4));
    expect(await cache.read('a', load)).toMatchObject({ value: 1 });
    expect(await cache.read('b', load)).toMatchObject({ value: 4 });
    await cache.read('huge', ...weight(11));
    expect(await cache.read('huge', load)).toMatchObject({ value: 6 });
  });
});

describe('the catalogue', () => {
  let fleet: FakeFleet;
  beforeEach(() => {
    fleet = new FakeFleet();
  });
  const failed = (reading: Promise<unknown>) => reading.catch((error: CatalogueError) => error.code);

  it('G26: a role without a key is off, also for cached answers', async () => {
    await fleet.catalogue.product('supplier', 301);
    fleet.roles.length = 0;
    expect(await failed(fleet.catalogue.product('supplier', 301))).toBe('ROLE_OFF');
    expect(fleet.asked).toHaveLength(1);
  });

  it('F24: both roles, other filters and other ids are read apart; equal filters together', async () => {
    await fleet.catalogue.products('supplier', { productName: 'a', detailModelName: 'b' });
    await fleet.catalogue.products('supplier', { detailModelName: 'b', productName: 'a' });
    expect(fleet.asked).toHaveLength(1);
    await fleet.catalogue.products('channel', { productName: 'a', detailModelName: 'b' });
    await fleet.catalogue.products('supplier', { productName: 'a' });
    await fleet.catalogue.product('supplier', 301);
    await fleet.catalogue.product('supplier', 302);
    expect(fleet.asked).toHaveLength(5);
    expect(fleet.asked[1]).toMatch(/channel$/);
  });

  it('F24: a change removes the answers that Handover can change, and no other', async () => {
    const { catalogue: own } = fleet;
    const readAll = async () => {
      await Promise.all([
        own.products('supplier', {}),
        own.product('supplier', 301),
        own.car('supplier', 1001),
      ]);
      await Promise.all([own.relatedCars('supplier', 301), own.memos(1001)]);
      await own.scheduleOfToday({ carId: 1001, carNumber: '12가1001' });
    };
    await readAll();
    fleet.asked.length = 0;
    own.forgetWritten();
    await readAll();
    expect(fleet.asked.map((call) => call.split(' ')[0])).toEqual([
      'listRelatedCars',
      'listCarMemos',
      'listSchedules',
    ]);
  });

  it('F26: the catalogue reads the schedule of the present day in the service’s zone', async () => {
    fleet.now = Date.UTC(2026, 10, 21, 15, 30); // half past midnight in Seoul
    const entry = {
      scheduleId: 1,
      carId: 1001,
      scheduleType: 'S',
      startAt: 0,
      endAt: 1,
      reason: 'wash',
    } as const;
    const group = { carNumber: '12가1001', detailModelName: 'A Model' };
    fleet.schedules = [
      { carId: 1001, ...group, schedules: [entry] },
      { carId: 1002, ...group, schedules: [{ ...entry, carId: 1002 }] },
    ];
    const { value } = await fleet.catalogue.scheduleOfToday({ carId: 1001, carNumber: '12가1001' });
    expect(value).toEqual([entry]);
    expect(fleet.asked[0]).toContain(
      '"startDate":"2026-11-22","endDate":"2026-11-22","carNumber":"12가1001"',
    );
  });

  it('L30: nothing is sent under a key that is known to be refused, and a refused key is reported', async () => {
    fleet.suspended.add('supplier');
    expect(await failed(fleet.catalogue.cars('supplier', {}))).toBe('ROLE_SUSPENDED');
    expect(fleet.asked).toEqual([]);
    fleet.failing.set('getCar', { code: 'UNAUTHORIZED' });
    expect(await failed(fleet.catalogue.car('channel', 1001))).toBe('UNAUTHORIZED');
    expect(fleet.refusals).toEqual(['channel UNAUTHORIZED']);
  });

  it('F24: while the platform’s Retry-After runs, nothing of that role is sent', async () => {
    fleet.failing.set('getCar', { code: 'RATE_LIMITED', retryAfterMs: 20_000 });
    expect(await failed(fleet.catalogue.car('supplier', 1001))).toBe('RATE_LIMITED');
    fleet.now += 19_000;
    expect(await failed(fleet.catalogue.product('supplier', 301))).toBe('RATE_LIMITED');
    expect(fleet.asked).toHaveLength(1);
    expect(await fleet.catalogue.product('channel', 301)).toMatchObject({ value: { productId: 301 } });
    fleet.now += 1_000;
    expect(await fleet.catalogue.product('supplier', 301)).toMatchObject({ value: { productId: 301 } });
  });
});

describe('F28: a process is notified of a change in another process', () => {
  it('F28: at each change, and after a lost connection, because one may have been missed meanwhile', async () => {
    const database = new EmbeddedSessions(async () => ({ rows: [] }));
    const lines: Session[] = [];
    let notifications = 0;
    let refusals = 1;
    const warned: object[] = [];
    const open = async () => {
      if (refusals-- > 0) throw Object.assign(new Error('no line'), { code: 'ECONNREFUSED' });
      const line = database.open();
      lines.push(line);
      return line;
    };
    const log = { warn: (about: object) => void warned.push(about) } as never;
    const watch = watchChanges(open, () => notifications++, { log, againMs: 1 });
    await eventually('it listens', () => notifications === 1);
    expect(warned).toEqual([{ code: 'ECONNREFUSED' }]);
    database.notify(carsChannel);
    database.notify('another channel');
    expect(notifications).toBe(2);
    await lines[0]?.close();
    await eventually('it listens again', () => notifications === 3);
    database.notify(carsChannel);
    expect(notifications).toBe(4);
    await watch.stop();
    database.notify(carsChannel);
    expect(notifications).toBe(4);
  });
});
