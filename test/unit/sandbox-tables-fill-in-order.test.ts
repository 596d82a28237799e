import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as schema from '../../src/sandbox/store/schema.js';
import { orderByReference } from '../../src/sandbox/store/table-order.js';

const tables = Object.values(schema).filter((each) => is(each, PgTable));

it('a restore fills a table after those it refers to, in whatever order a module lists them', () => {
  expect(tables.length).toBeGreaterThan(10);
  fc.assert(
    fc.property(fc.shuffledSubarray(tables, { minLength: tables.length }), (shuffled) => {
      const ordered = orderByReference(shuffled);
      expect(new Set(ordered)).toEqual(new Set(tables));
      for (const [at, table] of ordered.entries()) {
        for (const key of getTableConfig(table).foreignKeys)
          expect(ordered.slice(0, at)).toContain(key.reference().foreignTable);
      }
    }),
  );
});
