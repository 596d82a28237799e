import { personsIn } from '../domain/reservation/list-row.js';
import type { PersonNamed, RecordInput, UnstoredRows } from './reservation.js';

/** Rows whose write has failed. The next one has another row of lists: whom this one names may be in no other. */
export function unstoredOf({ verdicts, entries, persons = [], row }: RecordInput): UnstoredRows {
  return withPersons({ verdicts, entries }, [...persons, ...(row === undefined ? [] : personsIn(row))]);
}

/** @param rows are changed, and returned: there is no field where there is no person */
export function withPersons<T extends UnstoredRows>(rows: T, persons: readonly PersonNamed[]): T {
  if (persons.length > 0) rows.persons = eachOnce(persons);
  return rows;
}

export function eachOnce(persons: readonly PersonNamed[]): PersonNamed[] {
  return [...new Map(persons.map((person) => [JSON.stringify(person), person])).values()];
}
