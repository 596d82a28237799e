import { createHash } from 'node:crypto';

/** Chance that is the same every time for the same seed. */
export interface Random {
  /** From 0 to 1, exclusive. */
  unit(): number;
  chance(probability: number): boolean;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** Waiting times: many short ones, few long ones. */
  exponential(mean: number): number;
  uuid(): string;
}

/** SplitMix32 from the hash of the arguments: streams of different arguments are independent. */
export function randomOf(...words: (string | number)[]): Random {
  let state = createHash('sha256').update(words.join(' ')).digest().readUInt32BE();

  function next(): number {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }
  const unit = () => next() / 2 ** 32;
  const whole = (low: number, high: number) => low + Math.floor(unit() * (high - low + 1));

  return {
    unit,
    chance: (probability) => unit() < probability,
    whole,
    pick: (list) => list[whole(0, list.length - 1)] as never,
    exponential: (mean) => -mean * Math.log(1 - unit()),
    uuid() {
      const hex = [next(), next(), next(), next()].map((part) => part.toString(16).padStart(8, '0')).join('');
      const variant = '89ab'[next() % 4];
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
