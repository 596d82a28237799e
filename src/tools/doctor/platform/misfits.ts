import { z } from 'zod';
import { parseJson } from '../../../platform/client/read-wire.js';
import type { Listing, Schema } from '../../../platform/profile.js';
import { type GapId, unreadOf } from '../../../platform/unread.js';

/** Where a value does not fit: never the value itself (L60). */
export interface Misfit {
  path: readonly PropertyKey[];
  problem: string;
  /** The gap, where the profile names it. */
  gap?: GapId | undefined;
}

/** @returns what the schema reads, with what of it is unknown, or where it does not fit */
export function readAs<T>(
  schema: Schema<T>,
  wire: unknown,
): { value: T; unread: Misfit[] } | { misfits: Misfit[] } {
  try {
    const read = schema.safeDecode(wire as never);
    return read.success
      ? { value: read.data, unread: unreadIn(read.data) }
      : { misfits: misfitsOf(read.error) };
  } catch (error) {
    // a profile's own code may read further within
    return {
      misfits: error instanceof z.ZodError ? misfitsOf(error) : [{ path: [], problem: 'it fails on it' }],
    };
  }
}

/** Of a list: in its items. */
function unreadIn(value: unknown): Misfit[] {
  const isList = typeof value === 'object' && value !== null && 'items' in value;
  return unreadOf(isList ? value.items : value).map(({ path, expected, received, gap }) => ({
    path,
    problem: `expected ${expected}, received ${received}`,
    gap,
  }));
}

function misfitsOf(error: z.ZodError): Misfit[] {
  return error.issues.map(({ path, message }) => ({ path, problem: message }));
}

/** A list as the profile reads it, with its items also where its outer shape is another one. */
export interface ReadList<T> {
  items?: T[];
  next?: string;
  /** G21: the outer shape is not the profile's; what it is instead. */
  otherShape?: string;
  /** Of the items. */
  misfits: Misfit[];
  /** Values of the items that do not fit and are read as unknown. */
  unread: Misfit[];
}

/** Reads a list (G21): where it is wrapped in another way, finds its items and reads them in the wrapping that the profile expects. */
export function readList<T>(schema: Schema<Listing<T>>, body: Uint8Array): ReadList<T> {
  const wire = parseJson(body);
  if (wire === undefined) return { otherShape: 'no JSON', misfits: [], unread: [] };
  const asExpected = readAs(schema, wire);
  if ('value' in asExpected) return { ...asExpected.value, misfits: [], unread: asExpected.unread };
  const items = itemsIn(wire);
  if (items === undefined) return { otherShape: shapeOf(wire), misfits: [], unread: [] };
  const wrapped = [items, { items }, ...namesOf(wire).map((name) => ({ [name]: items }))];
  const tries = wrapped.map((one) => readAs(schema, one));
  const inside = tries.flatMap((one) => ('value' in one ? [one] : []));
  const isOuter = asExpected.misfits.some(({ path }) => path.length === 0 || !path.some(isIndex));
  const shape = isOuter ? { otherShape: shapeOf(wire) } : {};
  if (inside[0] !== undefined)
    return { items: inside[0].value.items, ...shape, misfits: [], unread: inside[0].unread };
  const ofItems = tries.flatMap((one) => ('misfits' in one ? [one.misfits] : []));
  const deepest = ofItems.find((misfits) => misfits.some(({ path }) => path.some(isIndex))) ?? [];
  return { ...shape, misfits: deepest, unread: [] };
}

const isIndex = (part: PropertyKey) => typeof part === 'number';

/** The array that a page wraps, whatever its name. */
function itemsIn(wire: unknown): unknown[] | undefined {
  if (Array.isArray(wire)) return wire;
  return wire === null || typeof wire !== 'object' ? undefined : Object.values(wire).find(Array.isArray);
}

function namesOf(wire: unknown): string[] {
  return wire === null || typeof wire !== 'object' || Array.isArray(wire) ? [] : Object.keys(wire);
}

/** Names of fields are the platform's own, and few. */
function shapeOf(wire: unknown): string {
  if (Array.isArray(wire)) return 'an array';
  const names = namesOf(wire);
  return names.length === 0
    ? `a ${wire === null ? 'null' : typeof wire}`
    : `an object of ${names.slice(0, 6).join(', ')}`;
}

/** The path without indexes. */
export function nameOf(path: Misfit['path']): string {
  return path
    .filter((part) => !isIndex(part))
    .map(String)
    .join('.');
}

const shown = 4;

/** The first places, without indexes, each once. */
export function placesOf(misfits: readonly Misfit[]): string {
  const places = misfits.map(({ path, problem }) => {
    return `${nameOf(path) || 'the whole'} (${problem})`;
  });
  const each = [...new Set(places)];
  return each.slice(0, shown).join(', ') + (each.length > shown ? ` and ${each.length - shown} more` : '');
}
