import type { PersonNamed, UnstoredRows } from '../../src/contract/reservation.js';
import { eachOnce, withPersons } from '../../src/contract/unstored-rows.js';
import type { EventVerdict, ListRow, TimelineEntry } from '../../src/domain/reservation/index.js';

export function countRows({ verdicts, entries }: UnstoredRows): number {
  return verdicts.length + entries.length;
}

export function joinRows(first: UnstoredRows, then: UnstoredRows): UnstoredRows {
  const joined: UnstoredRows = {
    verdicts: [...first.verdicts, ...then.verdicts],
    entries: [...first.entries, ...then.entries],
  };
  return withPersons(joined, [...(first.persons ?? []), ...(then.persons ?? [])]);
}

/** Whom the row does not have, each once. */
export function notIn(
  { private: { drivers, contacts = [] } }: ListRow,
  persons: readonly PersonNamed[],
): PersonNamed[] {
  const others = persons.filter(
    ({ name, phone, licenseNumber }) =>
      (name !== null && !drivers.includes(name)) ||
      ((phone !== null || licenseNumber !== null) &&
        !contacts.some((one) => one.phone === phone && one.licenseNumber === licenseNumber)),
  );
  return eachOnce(others);
}

/** Those rows that do not wait already. */
export function without(waiting: UnstoredRows, rows: UnstoredRows): UnstoredRows {
  const known = new Set([...waiting.verdicts, ...waiting.entries].map((row) => JSON.stringify(row)));
  const isNew = (row: EventVerdict | TimelineEntry) => !known.has(JSON.stringify(row));
  const others: UnstoredRows = {
    verdicts: rows.verdicts.filter(isNew),
    entries: rows.entries.filter(isNew),
  };
  return withPersons(others, rows.persons ?? []);
}
