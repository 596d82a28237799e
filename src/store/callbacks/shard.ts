import { sql } from 'drizzle-orm';
import { inbox } from '../schema.js';

/** The relay's shards: a number that stays, because processes of two releases divide the reservations alike. */
export const shardCount = 16;
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** Knuth's multiplier: consecutive reservations, and those that a step separates, spread evenly. */
const multiplier = 2_654_435_769;

/** The shard of a reservation, 0 to 15. Rows whose reservation could not be read belong to the shard of 0. */
export function shardOf(reservationId: number): number {
  return Math.imul(reservationId & 0x7fff_ffff, multiplier) >>> 28;
}

/** The same of an inbox row, in the database: `shardOf` is unsigned 32-bit arithmetic. */
const rowShard = sql`((coalesce(${inbox.reservationId}, 0) & 2147483647) * ${sql.raw(`${multiplier}`)} >> 28 & 15)`;

/** Part of a statement: rows of these shards. All of them cost nothing. */
export function isOfShards(shards: readonly number[]) {
  if (shards.length === shardCount) return sql`true`;
  return sql`${rowShard} = any(${`{${shards.join(',')}}`}::bigint[])`;
}
