/** Servers that work side by side on one queue, first come, first served. */
export class Servers {
  /** When each is free again, a heap with the earliest first. */
  private readonly freeAt: Float64Array;

  constructor(count: number) {
    this.freeAt = new Float64Array(count);
  }

  /** Jobs come in the order of their arrival. @returns when the job is done */
  serve(arrival: number, seconds: number): number {
    const done = Math.max(arrival, this.freeAt[0] ?? 0) + seconds;
    this.replaceEarliest(done);
    return done;
  }

  private replaceEarliest(value: number): void {
    const heap = this.freeAt;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && at(heap, child + 1) < at(heap, child)) child++;
      if (at(heap, child) >= value) break;
      heap[parent] = at(heap, child);
      parent = child;
    }
    heap[parent] = value;
  }
}

const at = (heap: Float64Array, index: number) => heap[index] ?? 0;
