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
const kept = (snapshot: string, what: string) => sql`${snapshots}.${sql.identifier(`${snapshot} ${what}`)}`;

/** Empties every table; ids begin where they began. Waits for what is being written. */
export async function empty(tx: Transaction): Promise<void> {
  const all = sql.join(names.map(live), sql`, `);
  await tx.execute(sql`truncate ${all} restart identity`);
  for (const sequence of [tables.reservationIds, tables.webSiteIds])
    await tx.execute(sql`alter sequence ${live(sequence.seqName ?? '')} restart`);
}

/** Keeps a copy of every table and of where each sequence stands; one of the same name is replaced. */
export async function keepSnapshot(tx: Transaction, snapshot: string): Promise<void> {
  await tx.execute(sql`create schema if not exists ${snapshots}`);
  for (const name of names) await keep(tx, snapshot, name, sql`select * from ${live(name)}`);
  const stands = sql`select sequencename as name, last_value as value from pg_sequences where schemaname = 'sandbox'`;
  await keep(tx, snapshot, 'sequences', stands);
}

async function keep(tx: Transaction, snapshot: string, what: string, rows: SQL): Promise<void> {
  await tx.execute(sql`drop table if exists ${kept(snapshot, what)}`);
  await tx.execute(sql`create table ${kept(snapshot, what)} as ${rows}`);
}

export async function hasSnapshot(tx: Transaction, snapshot: string): Promise<boolean> {
  const name = `sandbox_snapshots."${snapshot} sequences"`;
  const found = await tx.execute(sql`select to_regclass(${name}) is not null as there`);
  return (found as unknown as { rows: { there: boolean }[] }).rows[0]?.there === true;
}

/** Puts a kept copy in the place of everything. */
export async function restoreSnapshot(tx: Transaction, snapshot: string): Promise<void> {
  await empty(tx);
  for (const name of names) {
    const rows = sql`select * from ${kept(snapshot, name)}`;
    await tx.execute(sql`insert into ${live(name)} overriding system value ${rows}`);
  }
  await tx.execute(
    sql`select setval(format('sandbox.%I', name)::regclass, value) from ${kept(snapshot, 'sequences')} where value is not null`,
  );
}
