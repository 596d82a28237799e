import { readdirSync, readFileSync } from 'node:fs';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import * as schema from '../../src/store/schema.js';

const exported: Record<string, unknown> = schema;
const tables = Object.values(exported).filter((one) => one instanceof PgTable);

/** What an erasure, or the retention of logins, rewrites or deletes from. */
const files = [
  ...readdirSync('src/store/erasure').map((name) => `src/store/erasure/${name}`),
  'src/store/persons.ts',
];
/** An insert leaves no old version of a row. */
const statements = [
  /\b(?:db|tx)\s*\.(?:update|delete)\((\w+)\)/g,
  /\bupdate (?:\$\{)?(\w+)\}? set\b/gi,
  /\bdelete from (?:\$\{)?(\w+)/gi,
];

function tableOf(name: string): PgTable {
  const table = exported[name] ?? tables.find((one) => getTableConfig(one).name === name);
  if (table instanceof PgTable) return table;
  throw new Error(`${name} is no table of src/store/schema.ts: an erasure names tables as they are exported`);
}

/** With the tables whose rows the database deletes along. */
function withDependents(table: PgTable): PgTable[] {
  const dependents = tables.filter((one) =>
    getTableConfig(one).foreignKeys.some(
      (key) => key.onDelete === 'cascade' && key.reference().foreignTable === table,
    ),
  );
  return [table, ...dependents.flatMap(withDependents)];
}

it('the page on personal data lists every table with old versions of what an erasure or a retention rewrites', () => {
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const named = statements.flatMap((statement) => [...code.matchAll(statement)]).map(([, name = '']) => name);
  const rewritten = new Set(named.map(tableOf).flatMap(withDependents));
  expect(rewritten.size).toBeGreaterThan(5);

  const page = readFileSync('docs/personal-data.md', 'utf8');
  const [, listed = ''] = /^for table in (.+); do\n {2}psql .*vacuum full \$table/m.exec(page) ?? [];
  const names = [...rewritten].map((table) => getTableConfig(table).name);
  expect(listed.split(' ').toSorted()).toEqual(names.toSorted());
});
