import type { HandoverDb } from '../handover.js';
import type { PersonHashes } from '../sealing/person-hashes.js';
import type { Sealer } from '../sealing/sealer.js';
import { type Found, findPerson, hashCaseFiles } from './subjects.js';
import { checkSubjects, type NotErased } from './targets.js';

export interface FindDeps {
  db: HandoverDb;
  sealer: Sealer;
  persons: PersonHashes;
}

/** What an erasure would erase, and what it would refuse, as far as the database knows: a workflow may still be open. */
export interface Preview {
  wouldErase: Found;
  refused: NotErased[];
}

/** Everything of a person. @param text a whole name, a telephone number or a licence number */
export async function findDriver({ db, sealer, persons }: FindDeps, text: string): Promise<Found> {
  while ((await hashCaseFiles(db, sealer, persons)) > 0);
  return findPerson(db, persons, text);
}

/** Changes nothing. A name may find persons of the same name: staff check what it finds. */
export async function previewErasure(
  deps: FindDeps,
  wanted: { reservations: readonly number[] } | { driver: string },
): Promise<Preview> {
  const found = 'driver' in wanted ? await findDriver(deps, wanted.driver) : wanted;
  const { targets, refused } = await checkSubjects(deps.db, deps.sealer, found);
  const bySelf = targets.filter(({ reservationId }) => reservationId === null);
  const reservations = targets.flatMap(({ reservationId }) => reservationId ?? []);
  return { wouldErase: { reservations, bookings: bySelf.flatMap((one) => one.bookings) }, refused };
}
