import { is, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import * as tables from './schema.js';
import type { Transaction } from './store.js';
import { orderByReference } from './table-order.js';

/** Every table of the sandbox, referenced tables first: the module lists its exports alphabetically. */
const names = orderByReference(Object.values(tables).filter((table) => is(table, PgTable))).map(
  (table) => getTableConfig(table).name,
);
const snapshots = sql.identifier('sandbox_snapshots');

const tableOf = (table: string) => sql`${sql.identifier('sandbox')}.${sql.identifier(table)}`;
const copyOf = (snapshot: string, what: string) => sql`${snapshots}.${sql.identifier(`${snapshot} ${what}`)}`;

/** Up to this many rows in every table, deleting them is faster than truncating all tables. */
const few = 1000;

/** Empties every table; ids begin where they began. Waits for what is being written. */
export async function empty(tx: Transaction): Promise<void> {
  const all = sql.join(names.map(tableOf), sql`, `);
  await tx.execute(sql`lock table ${all} in access exclusive mode`);
  const crowded = names.map((name) => sql`exists (select from ${tableOf(name)} offset ${few})`);
  if (await isTrue(tx, sql.join(crowded, sql` or `))) await tx.execute(sql`truncate ${all}`);
  else for (const name of names.toReversed()) await tx.execute(sql`delete from ${tableOf(name)}`);
  await tx.execute(sql`select setval(format('sandbox.%I', sequencename)::regclass, start_value, false)
    from pg_sequences where schemaname = 'sandbox'`);
}

/** The next reservation gets this id. */
export async function beginIdsAt(tx: Transaction, reservationId: number): Promise<void> {
  await tx.execute(sql`select setval('sandbox.reservation_ids', ${reservationId}, false)`);
}

async function isTrue(tx: Transaction, condition: SQL): Promise<boolean> {
  const answer = await tx.execute(sql`select ${condition} as holds`);
  return (answer as unknown as { rows: { holds: boolean }[] }).rows[0]?.holds === true;
}

/** Copies every table and the value of each sequence; replaces a snapshot of the same name. */
export async function storeSnapshot(tx: Transaction, snapshot: string): Promise<void> {
  await tx.execute(sql`create schema if not exists ${snapshots}`);
  for (const name of names) await storeCopy(tx, snapshot, name, sql`select * from ${tableOf(name)}`);
  const stands = sql`select sequencename as name, last_value as value from pg_sequences where schemaname = 'sandbox'`;
  await storeCopy(tx, snapshot, 'sequences', stands);
}

async function storeCopy(tx: Transaction, snapshot: string, what: string, rows: SQL): Promise<void> {
  await tx.execute(sql`drop table if exists ${copyOf(snapshot, what)}`);
  await tx.execute(sql`create table ${copyOf(snapshot, what)} as ${rows}`);
}

export function hasSnapshot(tx: Transaction, snapshot: string): Promise<boolean> {
  const name = `sandbox_snapshots."${snapshot} sequences"`;
  return isTrue(tx, sql`to_regclass(${name}) is not null`);
}

/** Replaces the contents of every table with those of the snapshot. */
export async function restoreSnapshot(tx: Transaction, snapshot: string): Promise<void> {
  await empty(tx);
  for (const name of names) {
    const rows = sql`select * from ${copyOf(snapshot, name)}`;
    await tx.execute(sql`insert into ${tableOf(name)} overriding system value ${rows}`);
  }
  await tx.execute(
    sql`select setval(format('sandbox.%I', name)::regclass, value) from ${copyOf(snapshot, 'sequences')} where value is not null`,
  );
}
