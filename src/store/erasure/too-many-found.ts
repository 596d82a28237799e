import type { Found } from './subjects.js';

/** What one erasure may erase: all of it is read into memory, and erased in one transaction. */
export const mostFound = 200;

/** A search for a person found more than one erasure erases. The message has no personal data. */
export class TooManyFoundError extends Error {
  // without a name of its own: a command shows the message of such an error alone
  constructor(readonly count: number) {
    super(
      `TOO_MANY_FOUND: the search found ${count} reservations and bookings, and one erasure erases ${mostFound} at most; nothing was erased. Search by the phone or the licence, or list them by a dry run and erase them by their ids.`,
    );
  }
}

/** @throws TooManyFoundError */
export function checkFound(found: Found): Found {
  const count = found.reservations.length + found.bookings.length;
  if (count > mostFound) throw new TooManyFoundError(count);
  return found;
}
