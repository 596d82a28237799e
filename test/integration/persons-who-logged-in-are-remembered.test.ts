import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HandoverDatabase } from '../../src/store/handover.js';
import { createPersons } from '../../src/store/persons.js';
import { persons } from '../../src/store/schema.js';
import { onEveryDatabase } from '../support/database.js';

const day = 24 * 3_600_000;
const now = Date.UTC(2026, 10, 21, 12);

onEveryDatabase('persons whom the identity provider logged in', (lane) => {
  let database: HandoverDatabase;
  beforeAll(async () => {
    database = await lane.open();
  });
  afterAll(() => database.close());

  it('are remembered for 90 days after their last login, with name and role alone', async () => {
    const known = createPersons(database.db);
    await known.loggedIn({ name: 'yuna', role: 'staff' }, now);
    await known.loggedIn({ name: 'minho', role: 'staff' }, now + day);
    await known.loggedIn({ name: 'minho', role: 'manager' }, now + 2 * day);
    expect((await known.list(now + 2 * day)).toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'minho', role: 'manager' },
      { name: 'yuna', role: 'staff' },
    ]);
    expect(await known.list(now + 91 * day)).toEqual([{ name: 'minho', role: 'manager' }]);
    await known.loggedIn({ name: 'minho', role: 'manager' }, now + 91 * day);
    const stored = await database.db.select().from(persons);
    expect(stored).toEqual([{ name: 'minho', role: 'manager', loggedInAt: now + 91 * day }]);
  });
});
