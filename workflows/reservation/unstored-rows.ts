import type { PersonNamed, RecordInput, UnstoredRows } from '../../src/contract/reservation.js';
import type { EventVerdict, ListRow, TimelineEntry } from '../../src/domain/reservation/index.js';
import { personsIn } from '../../src/domain/reservation/list-row.js';

export function countRows({ verdicts, entries }: UnstoredRows): number {
  return verdicts.length + entries.length;
}

export function joinRows(first: UnstoredRows, then: UnstoredRows): UnstoredRows {
  const joined: UnstoredRows = {
    verdicts: [...first.verdicts, ...then.verdicts],
    entries: [...first.entries, ...then.entries],
  };
  return withPersons(joined, eachOnce([...(first.persons ?? []), ...(then.persons ?? [])]));
}

/** Rows whose write has failed. The next one has another row of lists: whom this one names may be in no other. */
export function unstored(rows: UnstoredRows, { row }: RecordInput): UnstoredRows {
  return withPersons(rows, [...(rows.persons ?? []), ...(row === undefined ? [] : personsIn(row))]);
}

/** @param rows are changed, and returned: there is no field where there is no person */
export function withPersons<T extends UnstoredRows>(rows: T, persons: readonly PersonNamed[]): T {
  if (persons.length > 0) rows.persons = [...persons];
  return rows;
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

export function eachOnce(persons: readonly PersonNamed[]): PersonNamed[] {
  return [...new Map(persons.map((person) => [JSON.stringify(person), person])).values()];
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
