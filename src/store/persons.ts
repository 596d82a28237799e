import { lt, sql } from 'drizzle-orm';
import { timestamptz } from './columns.js';
import type { HandoverDb } from './handover.js';
import { persons } from './schema.js';

/** Who can act: the name as in the audit, and the role. */
export interface Person {
  name: string;
  role: 'staff' | 'manager';
}

/** Who has not logged in for so long is forgotten. */
const rememberedMs = 90 * 24 * 3_600_000;

/** Persons whom the identity provider logged in: their name and role of their last login, and nothing else of them. */
export interface Persons {
  loggedIn(person: Person, at: number): Promise<void>;
  list(now: number): Promise<Person[]>;
}

export function createPersons(db: HandoverDb): Persons {
  return {
    async loggedIn(person, at) {
      await db.delete(persons).where(lt(persons.loggedInAt, at - rememberedMs));
      await db
        .insert(persons)
        .values({ ...person, loggedInAt: at })
        .onConflictDoUpdate({ target: persons.name, set: { role: person.role, loggedInAt: at } });
    },
    list: (now) =>
      db
        .select({ name: persons.name, role: persons.role })
        .from(persons)
        .where(sql`${persons.loggedInAt} >= ${timestamptz(now - rememberedMs)}`),
  };
}
