import { is, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import * as tables from './schema.js';
import type { Transaction } from './store.js';
import { referredFirst } from './table-order.js';

/** Every table of the sandbox, those that others refer to first: a module lists its exports by the alphabet. */
const names = referredFirst(Object.values(tables).filter((table) => is(table, PgTable))).map(
  (table) => getTableConfig(table).name,
);
const snapshots = sql.identifier('sandbox_snapshots');

const live = (table: string) => sql`${sql.identifier('sandbox')}.${sql.identifier(table)}`;
const copyOf = (snapshot: string, what: string) => sql`${snapshots}.${sql.identifier(`${snapshot} ${what}`)}`;

/** Where no table has more rows than this they are deleted one by one: truncating all tables costs as much as thousands. */
const few = 1000;

/** Empties every table; ids begin where they began. Waits for what is being written. */
export async function empty(tx: Transaction): Promise<void> {
  const all = sql.join(names.map(live), sql`, `);
  await tx.execute(sql`lock table ${all} in access exclusive mode`);
  const crowded = names.map((name) => sql`exists (select from ${live(name)} offset ${few})`);
  if (await holds(tx, sql.join(crowded, sql` or `))) await tx.execute(sql`truncate ${all}`);
  else for (const name of names.toReversed()) await tx.execute(sql`delete from ${live(name)}`);
  await tx.execute(sql`select setval(format('sandbox.%I', sequencename)::regclass, start_value, false)
    from pg_sequences where schemaname = 'sandbox'`);
}

/** The next reservation gets this id. */
export async function beginIdsAt(tx: Transaction, reservationId: number): Promise<void> {
  await tx.execute(sql`select setval('sandbox.reservation_ids', ${reservationId}, false)`);
}

async function holds(tx: Transaction, condition: SQL): Promise<boolean> {
  const answer = await tx.execute(sql`select ${condition} as holds`);
  return (answer as unknown as { rows: { holds: boolean }[] }).rows[0]?.holds === true;
}

/** Keeps a copy of every table and of where each sequence stands; one of the same name is replaced. */
export async function storeSnapshot(tx: Transaction, snapshot: string): Promise<void> {
  await tx.execute(sql`create schema if not exists ${snapshots}`);
  for (const name of names) await storeCopy(tx, snapshot, name, sql`select * from ${live(name)}`);
  const stands = sql`select sequencename as name, last_value as value from pg_sequences where schemaname = 'sandbox'`;
  await storeCopy(tx, snapshot, 'sequences', stands);
}

async function storeCopy(tx: Transaction, snapshot: string, what: string, rows: SQL): Promise<void> {
  await tx.execute(sql`drop table if exists ${copyOf(snapshot, what)}`);
  await tx.execute(sql`create table ${copyOf(snapshot, what)} as ${rows}`);
}

export function hasSnapshot(tx: Transaction, snapshot: string): Promise<boolean> {
  const name = `sandbox_snapshots."${snapshot} sequences"`;
  return holds(tx, sql`to_regclass(${name}) is not null`);
}

/** Puts a kept copy in the place of everything. */
export async function restoreSnapshot(tx: Transaction, snapshot: string): Promise<void> {
  await empty(tx);
  for (const name of names) {
    const rows = sql`select * from ${copyOf(snapshot, name)}`;
    await tx.execute(sql`insert into ${live(name)} overriding system value ${rows}`);
  }
  await tx.execute(
    sql`select setval(format('sandbox.%I', name)::regclass, value) from ${copyOf(snapshot, 'sequences')} where value is not null`,
  );
}
