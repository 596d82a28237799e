import type { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import { withPreparedStatements } from '../../src/store/connection/embedded/statements.js';

it('a version of PGlite without the methods that prepared statements rest on is refused, by their names', () => {
  const client = { _checkReady: async () => {}, _runExclusiveQuery: async () => {} } as unknown as PGlite;
  expect(() => withPreparedStatements(client)).toThrow('PGlite has no _runExclusiveTransaction');
});
