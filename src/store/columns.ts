import { type SQL, sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

/** Raw bytes. */
export const bytea = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
});

/** As Postgres writes it: a year of four digits or more, `BC` before our era. `Date` reads a year below 100 as one of this century. */
const written = /^(\d{4,6})(-\d\d-\d\d)[ T]([\d:.]+)([+-]\d\d)(:\d\d)?( BC)?$/;

function readInstant(text: string): number {
  const [, digits, date, time, hours, minutes = ':00', era] = written.exec(text) ?? [];
  if (digits === undefined) return Date.parse(text);
  const year = era === undefined ? Number(digits) : 1 - Number(digits);
  const sign = year < 0 ? '-' : '+';
  return Date.parse(`${sign}${String(Math.abs(year)).padStart(6, '0')}${date}T${time}${hours}${minutes}`);
}

/** An instant: milliseconds since the epoch in code, a readable `timestamptz` in the database. */
export const instant = customType<{ data: number; driverData: string | Date }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (ms) => new Date(ms).toISOString(),
  fromDriver: (value) => (typeof value === 'string' ? readInstant(value) : value.getTime()),
});

/** An instant as a parameter of a raw statement. @param at milliseconds since the epoch */
export const timestamptz = (at: number): SQL => sql`${new Date(at).toISOString()}::timestamptz`;
