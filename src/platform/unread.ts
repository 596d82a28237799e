import type { gaps } from './gaps.js';

export type GapId = keyof typeof gaps;

/** The type of a received value, never the value itself (L60). */
export type ReceivedType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null' | 'nothing';

/** A value of an answer or callback that does not fit the wire profile. */
export interface Misfit {
  /** Field names and list positions of the wire, from the object that was read. */
  path: readonly (string | number)[];
  expected: string;
  received: ReceivedType;
  /** The gap of the ledger that the profile fills at this path. */
  gap?: GapId | undefined;
}

/** Property of an object that was read: its unknown values. It is enumerable, so that a copy by spread has it too. */
const unread = Symbol('unread');

/** @returns the values that could not be read, with their paths from `value`; empty where all were read */
export function unreadOf(value: unknown): readonly Misfit[] {
  if (typeof value !== 'object' || value === null) return [];
  return (value as { [unread]?: readonly Misfit[] })[unread] ?? [];
}

/** Attaches the unknown values to an object that was read. @returns the same object */
export function withUnread<T extends object>(value: T, misfits: readonly Misfit[]): T {
  return misfits.length === 0 ? value : Object.assign(value, { [unread]: misfits });
}

export function typeOf(value: unknown): ReceivedType {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as ReceivedType;
}

/** The path without list positions, so that it is equal for all items: `carOptionList.optionKey1`. */
export function pathOf({ path }: Pick<Misfit, 'path'>): string {
  return path.filter((part) => typeof part === 'string').join('.') || 'the whole';
}

/** `carNumber: expected string, received number (G06)`. */
export function describeMisfit(misfit: Misfit): string {
  const { expected, received, gap } = misfit;
  return `${pathOf(misfit)}: expected ${expected}, received ${received}${gap === undefined ? '' : ` (${gap})`}`;
}
