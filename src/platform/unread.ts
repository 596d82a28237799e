import type { gaps } from './gaps.js';

export type GapId = keyof typeof gaps;

/** The kind of value that came; never the value itself (L60). */
export type ReceivedType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null' | 'nothing';

/** One value of an answer or callback that does not fit the wire profile. */
export interface Misfit {
  /** Names and list positions as they are on the wire, from the object that holds it. */
  path: readonly (string | number)[];
  expected: string;
  received: ReceivedType;
  /** The gap of the ledger that the profile fills here. */
  gap?: GapId | undefined;
}

/** On what was read: the values in it that are unknown. Enumerable, so that a copy by spread has it too. */
const unread = Symbol('unread');

/** @returns the values that could not be read, with their paths from `value`; empty where all could */
export function unreadOf(value: unknown): readonly Misfit[] {
  if (typeof value !== 'object' || value === null) return [];
  return (value as { [unread]?: readonly Misfit[] })[unread] ?? [];
}

/** Notes the unknown values of what was read. @returns the same value */
export function withUnread<T extends object>(value: T, misfits: readonly Misfit[]): T {
  return misfits.length === 0 ? value : Object.assign(value, { [unread]: misfits });
}

export function typeOf(value: unknown): ReceivedType {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as ReceivedType;
}

/** The path without positions, so that it is the same for every item: `carOptionList.optionKey1`. */
export function pathOf({ path }: Pick<Misfit, 'path'>): string {
  return path.filter((part) => typeof part === 'string').join('.') || 'the whole';
}

/** `carNumber: expected string, received number (G06)`. */
export function describeMisfit(misfit: Misfit): string {
  const { expected, received, gap } = misfit;
  return `${pathOf(misfit)}: expected ${expected}, received ${received}${gap === undefined ? '' : ` (${gap})`}`;
}
