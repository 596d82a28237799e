import { z } from 'zod';

const pattern = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):?(\d{2}))$/;
const minute = 60_000;

/** Years 1 to 9999 at any offset, so that every value that was read can be written again. */
const instant = z
  .int()
  .min(Date.parse('0001-01-02T00:00:00.000Z'))
  .max(Date.parse('9999-12-30T23:59:59.999Z'));

/**
 * A moment on the wire. It reads a date and time that exist, with or without a fraction of a second, and with an offset
 * `+0900`, `+09:00` or `Z`. It refuses a value without an offset, because its moment would be a guess. It writes
 * milliseconds and the given offset.
 *
 * @param offsetMinutes offset of the service's zone from UTC
 * @param separator between hours and minutes of the written offset: `''` for the specification's
 *   `yyyy-MM-dd'T'HH:mm:ss.SSSZ`, `':'` for ISO 8601
 */
export function timestamp(offsetMinutes: number, separator: '' | ':') {
  const suffix = writeOffset(offsetMinutes, separator);
  return z.codec(z.string(), instant, {
    decode: (text, context) => {
      const read = readTimestamp(text);
      if (typeof read === 'number') return read;
      context.issues.push({ code: 'custom', message: read.problem, input: text });
      return z.NEVER;
    },
    encode: (moment) => new Date(moment + offsetMinutes * minute).toISOString().slice(0, -1) + suffix,
  });
}

function readTimestamp(text: string): number | { problem: string } {
  const found = pattern.exec(text);
  if (!found) return { problem: "expected yyyy-MM-dd'T'HH:mm:ss.SSS with an offset: +0900, +09:00 or Z" };
  const [, seconds = '', fraction = '', sign, hours = '0', minutes = '0'] = found;
  const offset = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || offset >= 24 * 60)
    return { problem: 'expected an offset between -23:59 and +23:59' };
  const local = Date.parse(`${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`);
  // `Date` changes 30 February to a day in March: a date that comes back changed does not exist.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(seconds))
    return { problem: 'expected a date and a time that exist' };
  return local - (sign === '-' ? -offset : offset) * minute;
}

function writeOffset(offsetMinutes: number, separator: string): string {
  const size = Math.abs(offsetMinutes);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${separator}${two(size % 60)}`;
}
