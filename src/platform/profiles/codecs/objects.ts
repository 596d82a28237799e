import { z } from 'zod';
import type { Listing, Schema } from '../../profile.js';
import { describeMisfit, type GapId, type Misfit, typeOf, unreadOf, withUnread } from '../../unread.js';
import { misfitOf } from './misfits.js';

type Wire = Record<string, unknown>;

interface Tolerance<Key, Needed> {
  /** The gap that the object's form fills. */
  gap: GapId;
  /** Fields that fill another gap than the object. */
  gaps?: Readonly<Record<string, GapId>> | undefined;
  /** Required fields: the read fails without them. Every other field that does not fit is null: unknown. */
  needs: readonly (Key & Needed)[];
}

type Fields<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
type Tolerated<Object, Needed> = { [K in keyof Object]: K extends Needed ? Object[K] : Object[K] | null };

/**
 * An object that the platform sends. Unknown fields are ignored. A `null` field is read as an absent one: the
 * specification has only absent optional fields, but many JSON writers send `null` for them.
 *
 * With `tolerance`, a field that is not required is null where its value does not fit, and `unreadOf` returns why.
 * Without `tolerance` every field has to fit.
 */
export function sentObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodType<Fields<Shape>, Wire>;
export function sentObject<Shape extends z.ZodRawShape, const Needed extends keyof Shape = never>(
  shape: Shape,
  tolerance: Tolerance<keyof Shape, Needed>,
): z.ZodType<Tolerated<Fields<Shape>, Needed>, Wire>;
export function sentObject<Shape extends z.ZodRawShape>(
  shape: Shape,
  tolerance?: Tolerance<keyof Shape, keyof Shape>,
): z.ZodType<Fields<Shape>, Wire> {
  const object = z.object(shape);
  const whole = (wire: Wire) => object.safeDecode(withoutNulls(wire) as never);
  return z.codec(z.record(z.string(), z.unknown()), z.custom<Fields<Shape>>(), {
    decode: (wire, context) => {
      const read = whole(wire);
      if (read.success) return withUnread(read.data as object, within(read.data)) as Fields<Shape>;
      if (tolerance === undefined) {
        context.issues.push(...issuesOf(read.error, wire));
        return z.NEVER;
      }
      const { value, unknown, missing } = byField(shape, tolerance as Tolerance<string, string>, wire);
      for (const misfit of missing) context.issues.push(issueOf(misfit, wire));
      return withUnread(value, unknown) as Fields<Shape>;
    },
    encode: (value, context) => {
      const written = object.safeEncode(value as never);
      if (written.success) return written.data as Wire;
      // an issue, not an exception: zod encodes absent optional fields too
      context.issues.push(...issuesOf(written.error, value));
      return z.NEVER;
    },
  });
}

function issuesOf(error: z.ZodError, input: unknown, at: (string | number)[] = []): never[] {
  return error.issues.map((issue) => ({ ...issue, path: [...at, ...issue.path], input })) as never[];
}

/** Reads each field alone. It is slower, so it is used only where the object does not fit as a whole. */
function byField(
  shape: z.ZodRawShape,
  { gap, gaps = {}, needs }: Tolerance<string, string>,
  wire: Wire,
): { value: Wire; unknown: Misfit[]; missing: Misfit[] } {
  const value: Wire = {};
  const unknown: Misfit[] = [];
  const missing: Misfit[] = [];
  for (const [name, field] of Object.entries(shape as Record<string, z.ZodType>)) {
    const sent = wire[name];
    if ((sent === undefined || sent === null) && mayBeAbsent(field)) continue;
    const read = field.safeDecode((sent ?? undefined) as never);
    if (read.success) {
      value[name] = read.data;
      unknown.push(...under(name, unreadOf(read.data)));
      continue;
    }
    const misfits = read.error.issues.map((issue) => misfitOf(issue, sent, gaps[name] ?? gap));
    if (needs.includes(name)) missing.push(...under(name, misfits));
    else {
      value[name] = null;
      unknown.push(...under(name, misfits));
    }
  }
  return { value, unknown, missing };
}

function mayBeAbsent(field: z.ZodType): boolean {
  return field._zod.optin === 'optional';
}

/** The unknown values of nested objects and lists. */
function within(value: object): Misfit[] {
  const misfits: Misfit[] = [];
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'object' && part !== null) misfits.push(...under(name, unreadOf(part)));
  }
  return misfits;
}

function under(name: string | number, misfits: readonly Misfit[]): Misfit[] {
  return misfits.map((misfit) => ({ ...misfit, path: [name, ...misfit.path] }));
}

/** The message leaves out the path, because zod's issue has it. */
function issueOf(misfit: Misfit, input: unknown) {
  const message = describeMisfit(misfit).replace(/^[^:]*: /, '');
  return { code: 'custom' as const, path: [...misfit.path], message, params: { misfit }, input };
}

function withoutNulls(wire: Wire): Wire {
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null));
}

/**
 * A list that the platform sends. An item that is not an object is read as an object without known fields: it counts as
 * an item, because an object that cannot be read must not be treated as absent.
 *
 * @param item a `sentObject` without required fields; with required ones, one item that lacks them fails the whole list
 */
export function sentList<T>(item: Schema<T>): Schema<T[]> {
  const list = z.array(item);
  return z.codec(z.array(z.unknown()), z.custom<T[]>(), {
    decode: (wires, context) => {
      const items: T[] = [];
      const unknown: Misfit[] = [];
      for (const [index, wire] of wires.entries()) {
        const read = item.safeDecode(wire as never);
        if (read.success) {
          items.push(read.data);
          const inside = unreadOf(read.data);
          if (inside.length > 0) unknown.push(...under(index, inside));
          continue;
        }
        const nothing = isObject(wire) ? undefined : nothingKnown(item, wire);
        if (nothing === undefined) {
          context.issues.push(...issuesOf(read.error, wire, [index]));
          continue;
        }
        items.push(nothing);
        unknown.push(...under(index, unreadOf(nothing)));
      }
      return withUnread(items, unknown);
    },
    encode: (items, context) => {
      const written = list.safeEncode(items);
      if (written.success) return written.data as unknown[];
      context.issues.push(...issuesOf(written.error, items));
      return z.NEVER;
    },
  });
}

function nothingKnown<T>(item: Schema<T>, wire: unknown): T | undefined {
  const read = item.safeDecode({} as never);
  if (!read.success) return undefined;
  const gap = unreadOf(read.data)[0]?.gap;
  return withUnread(read.data as object, [
    { path: [], expected: 'object', received: typeOf(wire), gap },
  ]) as T;
}

function isObject(wire: unknown): boolean {
  return typeOf(wire) === 'object';
}

/** G21: a list as a plain JSON array that holds all items. */
export function plainArray<T>(item: Schema<T>): Schema<Listing<T>> {
  return z.codec(sentList(item), z.custom<Listing<T>>(), {
    decode: (items) => ({ items }),
    encode: (listing) => listing.items,
  });
}
