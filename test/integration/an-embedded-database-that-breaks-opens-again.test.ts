import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { databaseErrorCode } from '../../src/store/connection/errors.js';
import { embeddedLane } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/** What of Emscripten's module `breakStack` needs. */
interface Module {
  mod: { stackRestore(pointer: number): void };
}

/** Its code fails from now on, as where its memory was damaged. */
const breakStack = (client: PGlite | undefined) => (client as unknown as Module).mod.stackRestore(2_000);

const lane = embeddedLane();

it('an embedded database that breaks without a PANIC takes no statement for done, and opens again with what was committed', async () => {
  const create = vi.spyOn(PGlite, 'create');
  const database = await lane.open();
  const client: PGlite | undefined = await create.mock.results.at(-1)?.value;
  create.mockRestore();
  const run = (statement: string) =>
    database.commit<{ what: string }>({ statements: [sql.raw(statement)], inOrderOf: [] });
  await run('create table written (what text)');
  // neither an empty statement nor one without rows is the end
  for (const statement of ['', '-- nothing', 'set x.y = 1', "insert into written values ('before')"])
    expect(await run(statement)).toEqual([]);
  breakStack(client);
  expect(await run("insert into written values ('lost')").catch(databaseErrorCode)).toBe('DATABASE_SILENT');
  const transaction = database.db.transaction(async (tx) => tx.execute(sql`select 1`));
  expect(await transaction.catch(databaseErrorCode)).toBe('DATABASE_SILENT');
  await eventually(
    'it is open again',
    () =>
      run('select 1').then(
        () => true,
        () => false,
      ),
    30_000,
  );
  expect(await run('select what from written')).toEqual([{ what: 'before' }]);
  await database.close();
});
