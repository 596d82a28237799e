import type { Instant } from '../../platform/model.js';

interface Entry<T> {
  at: Instant;
  /** Entries of one instant leave in the order in which they came. */
  turn: number;
  item: T;
}

/** Items by their instant, the earliest first (a binary heap). */
export class Queue<T> {
  private readonly heap: Entry<T>[] = [];
  private turn = 0;

  push(at: Instant, item: T): void {
    const { heap } = this;
    const entry = { at, turn: this.turn++, item };
    let index = heap.length;
    heap.push(entry);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above] as Entry<T>;
      if (!earlier(entry, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = entry;
  }

  pop(): { at: Instant; item: T } | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= heap.length) break;
      const [left, right] = [heap[below] as Entry<T>, heap[below + 1]];
      if (right && earlier(right, left)) below++;
      const child = heap[below] as Entry<T>;
      if (!earlier(child, last)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
    return first;
  }
}

const earlier = <T>(a: Entry<T>, b: Entry<T>) => a.at < b.at || (a.at === b.at && a.turn < b.turn);
