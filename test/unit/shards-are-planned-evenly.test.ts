import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planLeases,
  relayLease,
  relayLeases,
  shardLease,
  shardOfLease,
} from '../../src/inbox/relay/plan-leases.js';
import { allShards, shardCount, shardOf } from '../../src/store/callbacks/shard.js';

const shards = allShards.map(shardLease);

/** The leases of a database, and processes that plan by them: what each believes to hold, and whether it runs. */
class World {
  readonly held = new Map<string, string>();
  readonly own = new Map<string, Set<string>>();
  readonly frozen = new Set<string>();
  /** They have the database, but not Temporal. */
  readonly cutOff = new Set<string>();

  start(process: string) {
    this.own.set(process, new Set());
  }
  /** Its leases end; it still believes in them. */
  freeze(process: string) {
    this.frozen.add(process);
    for (const [name, holder] of this.held) if (holder === process) this.held.delete(name);
  }
  thaw(process: string) {
    this.frozen.delete(process);
  }
  disconnect(process: string) {
    this.cutOff.add(process);
  }
  connect(process: string) {
    this.cutOff.delete(process);
  }
  stop(process: string) {
    this.own.delete(process);
    this.frozen.delete(process);
    this.cutOff.delete(process);
    for (const [name, holder] of this.held) if (holder === process) this.held.delete(name);
  }
  turn(process: string) {
    const own = this.own.get(process);
    if (own === undefined || this.frozen.has(process)) return;
    // a renewal: what another process holds is lost, what no process has taken continues
    for (const name of [...own]) {
      if ((this.held.get(name) ?? process) === process) this.held.set(name, process);
      else own.delete(name);
    }
    const states = [...this.held].map(([name, holder]) => ({ name, holder, epoch: 1, isValid: true }));
    const { claim, release } = planLeases(states, own, process, !this.cutOff.has(process));
    for (const name of release) {
      own.delete(name);
      this.held.delete(name);
    }
    for (const { names, most } of claim)
      for (const name of names.filter((one) => !this.held.has(one)).slice(0, most)) {
        this.held.set(name, process);
        own.add(name);
      }
  }
  round() {
    for (const process of this.own.keys()) this.turn(process);
  }
  get live() {
    return [...this.own.keys()].filter((process) => !this.frozen.has(process));
  }
  get able() {
    return this.live.filter((process) => !this.cutOff.has(process));
  }
  shardsOf(process: string) {
    return shards.filter((name) => this.held.get(name) === process);
  }
}

const names = Array.from({ length: 20 }, (_, index) => `process ${index}`);
const acts = ['start', 'stop', 'freeze', 'thaw', 'turn', 'round', 'disconnect', 'connect'] as const;
const step = fc.record({ act: fc.constantFrom(...acts), process: fc.constantFrom(...names) });

function play(steps: { act: (typeof acts)[number]; process: string }[]) {
  const world = new World();
  for (const { act, process } of steps) {
    if (act === 'round') world.round();
    else if (act === 'start') {
      if (!world.own.has(process)) world.start(process);
    } else if (world.own.has(process)) world[act](process);
  }
  return world;
}

describe('whatever processes start, stop, freeze and run again, with Temporal and without', () => {
  it('a few rounds later each shard has one owner that can send, and the shares differ by one at the most', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = play(steps);
        for (let round = 0; round < 8; round++) world.round();
        const live = world.able;
        if (live.length === 0) return;
        const counts = live.map((process) => world.shardsOf(process).length);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(shardCount);
        const seated = Math.min(live.length, shardCount);
        expect(Math.max(...counts)).toBe(Math.ceil(shardCount / seated));
        expect(counts.filter((count) => count >= Math.floor(shardCount / seated))).toHaveLength(
          seated === live.length ? live.length : seated,
        );
        expect(live).toContain(world.held.get(relayLease));
      }),
      { numRuns: 500 },
    );
  });

  it('where none can send, one of them has all', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = play(steps);
        for (const process of names) world.disconnect(process);
        for (let round = 0; round < 8; round++) world.round();
        if (world.live.length === 0) return;
        const owners = new Set(shards.map((name) => world.held.get(name)));
        expect([...owners]).toEqual([world.held.get(relayLease)]);
        expect(world.live).toContain(world.held.get(relayLease));
      }),
      { numRuns: 200 },
    );
  });

  it('then no shard moves any more', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = play(steps);
        for (let round = 0; round < 8; round++) world.round();
        const before = [...world.held].sort();
        for (let round = 0; round < 3; round++) world.round();
        expect([...world.held].sort()).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });
});

it('a process that joins takes only its share: the others give away no more', () => {
  const world = new World();
  for (const process of names.slice(0, 3)) world.start(process);
  for (let round = 0; round < 4; round++) world.round();
  const before = new Map(world.held);
  world.start('newcomer');
  for (let round = 0; round < 4; round++) world.round();
  const moved = shards.filter((name) => world.held.get(name) !== before.get(name));
  expect(moved).toEqual(world.shardsOf('newcomer'));
  expect(moved).toHaveLength(4);
});

it('of three the one without Temporal leaves its shards to the others, and has its share again afterwards', () => {
  const world = new World();
  for (const process of names.slice(0, 3)) world.start(process);
  const counts = () => names.slice(0, 3).map((process) => world.shardsOf(process).length);
  const settle = () => {
    for (let round = 0; round < 4; round++) world.round();
    return counts();
  };
  expect(settle()).toEqual([6, 5, 5]);
  const [first = ''] = names;
  world.disconnect(first);
  expect(settle()).toEqual([0, 8, 8]);
  expect(world.held.get(relayLease)).not.toBe(first);
  world.connect(first);
  expect(settle().sort()).toEqual([5, 5, 6]);
});

it('the seat of a process without Temporal is free only after the relay lease: it is taken for no relay of an earlier release', () => {
  const mine = [relayLease, 'relay seat 0', ...shards.slice(0, 8)];
  const held = mine.map((name) => ({ name, holder: 'this', epoch: 1, isValid: true }));
  const other = { name: 'relay seat 1', holder: 'other', epoch: 1, isValid: true };
  const plan = (own: string[]) => planLeases([...held, other], new Set(own), 'this', false);
  expect(plan(mine).release).toEqual([relayLease, ...shards.slice(0, 8)]);
  // still on its way, so the database has it as held
  expect(plan(['relay seat 0'])).toEqual({ claim: [], release: [] });
  const released = held.filter(({ name }) => name !== relayLease);
  const next = planLeases([...released, other], new Set(['relay seat 0']), 'this', false);
  expect(next).toEqual({ claim: [], release: ['relay seat 0'] });
});

it('a relay of an earlier release, which has no seat, sends alone: the others give their shards away', () => {
  const own = new Set(['relay seat 0', ...shards]);
  const states = [...own].map((name) => ({ name, holder: 'this', epoch: 1, isValid: true }));
  const earlier = { name: relayLease, holder: 'earlier', epoch: 7, isValid: true };
  expect(planLeases([...states, earlier], own, 'this')).toEqual({ claim: [], release: shards });
  const ended = { ...earlier, isValid: false };
  expect(planLeases([...states, ended], own, 'this')).toEqual({
    claim: [{ names: [relayLease], most: 1 }],
    release: [],
  });
});

describe('the shard of a reservation', () => {
  it('is one of all shards, for every id', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (reservationId) => {
        expect(allShards).toContain(shardOf(reservationId));
      }),
    );
  });

  it.each([1, 2, 10, 16, 64, 100, 1_000])('spreads ids %i apart evenly', (apart) => {
    const counts = allShards.map(() => 0);
    for (let i = 1; i <= 16_000; i++) {
      const shard = shardOf(i * apart);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });

  it('names its lease', () => {
    expect(allShards.map((shard) => shardOfLease(shardLease(shard)))).toEqual(allShards);
    expect(relayLeases.filter((name) => shardOfLease(name) !== undefined)).toEqual(shards);
  });
});
