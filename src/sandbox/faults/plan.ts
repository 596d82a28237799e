import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * The occasions on which a fault hits: the `nth` to `nth + times - 1` that match it, counted from when it was set. With a
 * `probability` each of them is drawn by lot, and without `times` there is no last one.
 */
export const occasion = {
  reservationId: z.int().exactOptional(),
  nth: z.int().min(1).default(1),
  times: z.int().min(1).exactOptional(),
  probability: z.number().min(0).max(1).exactOptional(),
};

interface Occasion {
  reservationId?: number;
  status?: number;
  nth: number;
  times?: number;
  probability?: number;
}

interface Subject {
  /** An operation, or a kind of callback. */
  name: string;
  reservationId: number | null;
  /** The reservation's status that a callback reports. */
  status?: number | undefined;
}

interface Hit<F> {
  fault: F;
  /** From 0 to 1, drawn for this hit: decides what the fault leaves to chance. */
  lot: number;
}

export interface Plan<F> {
  /** Replaces the plan; all counts begin at zero. */
  set(faults: readonly F[], seed: number): void;
  /** `seen`: occasions that matched; `hits`: those on which the fault happened. */
  list(): (F & { seen: number; hits: number })[];
  /** Counts an occasion and returns the first fault that hits. */
  next(subject: Subject): Hit<F> | null;
}

/**
 * A plan of faults. Lots depend on the seed, the fault, the reservation and how often that reservation came by:
 * the same seed gives the same run, however the calls of different reservations mingle.
 * @param nameOf what a fault is set on; `*` is anything
 */
export function openPlan<F extends Occasion>(nameOf: (fault: F) => string): Plan<F> {
  let faults: (F & { seen: number; hits: number })[] = [];
  let seed = 0;
  let rounds = new Map<string, number>();

  const matches = (fault: F, { name, reservationId, status }: Subject) =>
    ['*', name].includes(nameOf(fault)) &&
    (fault.reservationId === undefined || fault.reservationId === reservationId) &&
    (fault.status === undefined || fault.status === status);

  function round(key: string): number {
    const next = (rounds.get(key) ?? 0) + 1;
    rounds.set(key, next);
    return next;
  }

  return {
    set(next, newSeed) {
      faults = next.map((fault) => ({ ...fault, seen: 0, hits: 0 }));
      seed = newSeed;
      rounds = new Map();
    },
    list: () => faults,
    next(subject) {
      let hit: Hit<F> | null = null;
      for (const [index, fault] of faults.entries()) {
        if (!matches(fault, subject)) continue;
        fault.seen++;
        const key = `${index} ${subject.name} ${subject.reservationId ?? ''}`;
        const turn = round(key);
        const {
          nth,
          probability = 1,
          times = fault.probability === undefined ? 1 : Number.POSITIVE_INFINITY,
        } = fault;
        if (fault.seen < nth || fault.seen >= nth + times) continue;
        if (hit || lot(seed, `strikes ${key} ${turn}`) >= probability) continue;
        fault.hits++;
        hit = { fault, lot: lot(seed, `how ${key} ${turn}`) };
      }
      return hit;
    },
  };
}

/** A number from 0 to 1 (exclusive) that depends only on its arguments. */
function lot(seed: number, words: string): number {
  return createHash('sha256').update(`${seed} ${words}`).digest().readUInt32BE() / 2 ** 32;
}
