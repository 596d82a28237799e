import { describe, expect, it } from 'vitest';
import { GroupCommit, OverloadedError } from '../../src/intake/group-commit.js';

/** A store whose writes wait until they are let through. */
function slowStore(
  options: {
    maxItems?: number;
    mostItems?: number;
    mostBytes?: number;
    fault?: boolean;
    poison?: number;
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
    maxItems: options.maxItems ?? 100,
    bounds: { items: options.mostItems ?? 100, bytes: options.mostBytes ?? 1_000, bytesOf: (item) => item },
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
  it('what comes during a write shares the next one, in order', async () => {
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

  it('nobody is told before the write that holds his item', async () => {
    const { group, turn, settle } = slowStore();
    let told = false;
    const item = group.add(1).then(() => {
      told = true;
    });
    await turn();
    await turn();
    expect(told).toBe(false);
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

  it('more than may wait is refused at once; what waits is not dropped', async () => {
    const { group, groups, settle } = slowStore({ mostItems: 2 });
    const taken = [group.add(1), group.add(2)];
    await expect(group.add(3)).rejects.toBeInstanceOf(OverloadedError);
    await settle();
    await Promise.all(taken);
    expect(groups).toEqual([[1, 2]]);
  });

  it('bounds the bytes that wait too, those under way included, and takes more when they are written', async () => {
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
});
