import { describe, expect, it, vi } from 'vitest';
import {
  type BesideSlowWrites,
  GroupCommit,
  OverloadedError,
} from '../../src/store/connection/group-commit.js';

/** A store whose writes wait until they are let through. */
function slowStore(
  options: {
    maxItems?: number;
    maxBytes?: number;
    mostItems?: number;
    mostBytes?: number;
    fault?: boolean;
    poison?: number;
    beside?: BesideSlowWrites<number>;
  } = {},
) {
  const groups: number[][] = [];
  let letThrough: (() => void)[] = [];
  const group = new GroupCommit<number>({
    write: async (items) => {
      groups.push(items);
      if (options.poison !== undefined && items.includes(options.poison)) throw new Error('refused');
      await new Promise<void>((resolve) => letThrough.push(resolve));
    },
    isItemsFault: () => options.fault ?? false,
    isTooMuch: () => options.poison !== undefined,
    maxItems: options.maxItems ?? 100,
    ...(options.maxBytes !== undefined && { maxBytes: options.maxBytes }),
    bounds: { items: options.mostItems ?? 100, bytes: options.mostBytes ?? 1_000, bytesOf: (item) => item },
    ...(options.beside !== undefined && { beside: options.beside }),
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const settle = async () => {
    for (let i = 0; i < 20; i++) {
      await turn();
      for (const resolve of letThrough.splice(0)) resolve();
    }
    letThrough = [];
  };
  return { group, groups, turn, settle };
}

describe('group commit', () => {
  it('items that arrive during a write share the next one, in order', async () => {
    const { group, groups, turn, settle } = slowStore();
    const first = [group.add(1), group.add(2)];
    await turn();
    await turn();
    const later = [group.add(3), group.add(4), group.add(5)];
    await settle();
    await Promise.all([...first, ...later]);
    expect(groups).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('no caller is notified before the write of its item', async () => {
    const { group, turn, settle } = slowStore();
    let isSettled = false;
    const item = group.add(1).then(() => {
      isSettled = true;
    });
    await turn();
    await turn();
    expect(isSettled).toBe(false);
    await settle();
    await item;
  });

  it('a group is bounded', async () => {
    const { group, groups, settle } = slowStore({ maxItems: 2 });
    const items = [1, 2, 3, 4, 5].map((item) => group.add(item));
    await settle();
    await Promise.all(items);
    expect(groups).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('a group is bounded by its bytes, and a larger item is written alone', async () => {
    const { group, groups, settle } = slowStore({ maxBytes: 100 });
    const items = [60, 40, 1, 150, 2, 99].map((item) => group.add(item));
    await settle();
    await Promise.all(items);
    expect(groups).toEqual([[60, 40], [1], [150], [2], [99]]);
  });

  it('after a write that was too large the next ones are halved, and grow again once one succeeds', async () => {
    const { group, groups, settle } = slowStore({ maxItems: 8, poison: 99 });
    const first = Promise.allSettled([99, 1, 2, 3, 4, 5, 6, 7].map((item) => group.add(item)));
    await settle();
    await first;
    const later = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((item) => group.add(item));
    await settle();
    await Promise.all(later);
    expect(groups.map(({ length }) => length)).toEqual([8, 4, 8]);
  });

  it('an item at fault fails alone', async () => {
    const { group, settle } = slowStore({ fault: true, poison: 2 });
    const results = Promise.allSettled([1, 2, 3].map((item) => group.add(item)));
    await settle();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('where no item is at fault all of the group fail, and the next group is tried', async () => {
    const { group, groups, settle } = slowStore({ poison: 2 });
    const results = Promise.allSettled([1, 2, 3].map((item) => group.add(item)));
    await settle();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const next = group.add(4);
    await settle();
    await next;
    expect(groups).toEqual([[1, 2, 3], [4]]);
  });

  it('an item beyond the limit is refused at once; waiting items are not dropped', async () => {
    const { group, groups, settle } = slowStore({ mostItems: 2 });
    const taken = [group.add(1), group.add(2)];
    await expect(group.add(3)).rejects.toBeInstanceOf(OverloadedError);
    await settle();
    await Promise.all(taken);
    expect(groups).toEqual([[1, 2]]);
  });

  it('the waiting bytes are bounded too, with those under way, and more are accepted when they are written', async () => {
    const { group, settle } = slowStore({ mostBytes: 100 });
    const taken = [group.add(60), group.add(60)];
    expect(group.isFull()).toBe(true);
    await expect(group.add(1)).rejects.toBeInstanceOf(OverloadedError);
    await settle();
    await Promise.all(taken);
    expect(group.isFull()).toBe(false);
    const next = group.add(1);
    await settle();
    await next;
  });

  it('other writes continue beside a slow one, up to a limit; items of one key keep their order', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { group, groups, turn, settle } = slowStore({
        beside: { most: 2, afterMs: 250, keyOf: (item) => item % 10 },
      });
      const all = [group.add(11)];
      await turn();
      await turn();
      all.push(group.add(21), group.add(12), group.add(22));
      await turn();
      await turn();
      expect(groups).toEqual([[11]]);
      vi.advanceTimersByTime(250);
      // 21 has the key of the slow one
      expect(groups).toEqual([[11], [12, 22]]);
      all.push(group.add(13));
      await turn();
      await turn();
      vi.advanceTimersByTime(250);
      expect(groups).toHaveLength(2);
      const isDrained = group.drained().then(() => true);
      await settle();
      await Promise.all(all);
      expect(groups.slice(2).flat()).toEqual([21, 13]);
      expect(await isDrained).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
