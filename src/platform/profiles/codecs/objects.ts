import { z } from 'zod';
import type { Listing, Schema } from '../../profile.js';

/**
 * An object that the platform sends: unknown fields are ignored, and a `null` field is read as an absent one,
 * for the specification knows only absent optional fields, while many JSON writers put `null` there.
 */
export function sentObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.object(shape);
  return z.codec(z.record(z.string(), z.unknown()), object, {
    decode: (wire) => withoutNulls(wire) as z.input<typeof object>,
    encode: (value) => value as Record<string, unknown>,
  });
}

function withoutNulls(wire: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null));
}

/** G21: a list as a plain JSON array that holds all items. */
export function plainArray<T>(item: Schema<T>): Schema<Listing<T>> {
  return z.codec(z.array(item), z.custom<Listing<T>>(), {
    decode: (items) => ({ items }),
    encode: (listing) => listing.items,
  });
}
