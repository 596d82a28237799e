import { type FindDeps, hashPersons } from './hash-persons.js';
import { type Found, findPerson } from './subjects.js';
import { checkSubjects, type NotErased, type Subjects } from './targets.js';

/** What an erasure would erase, and what it would refuse, as far as the database knows: a workflow may still be open. */
export interface Preview {
  /** With ids of holds that an earlier erasure of their reservation left, because they were open then. */
  wouldErase: Found & { holds: string[] };
  refused: NotErased[];
}

/** Everything of a person. @param text a whole name, a telephone number or a licence number */
export async function findDriver(deps: FindDeps, text: string): Promise<Found> {
  await hashPersons(deps);
  return findPerson(deps.db, deps.persons, text);
}

/** Changes nothing. A name may find persons of the same name: staff check what it finds. */
export async function previewErasure(
  deps: FindDeps,
  wanted: Partial<Subjects> | { driver: string },
): Promise<Preview> {
  const found = 'driver' in wanted ? await findDriver(deps, wanted.driver) : { reservations: [], ...wanted };
  const { targets, refused } = await checkSubjects(deps.db, deps.sealer, found);
  const bySelf = targets.filter(({ reservationId }) => reservationId === null);
  const reservations = targets.flatMap(({ reservationId }) => reservationId ?? []);
  const bookings = bySelf.flatMap((one) => one.bookings);
  return { wouldErase: { reservations, bookings, holds: bySelf.flatMap((one) => one.holds) }, refused };
}
