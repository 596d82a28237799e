import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Db } from './database.js';
import { rowsOf } from './rows.js';

/** One file of the migrations folder. */
export interface Migration {
  statements: string[];
  /** Its place in the order: when it was generated, in milliseconds. */
  when: number;
  hash: string;
  /** Its statements build or drop indexes beside writers, which no transaction may hold. */
  isConcurrent: boolean;
}

const concurrently = /\bINDEX CONCURRENTLY\b/i;

/** The migrations of a folder, in their order. @throws Error where one mixes concurrent statements with others */
export function readMigrations(folder: string): Migration[] {
  return readMigrationFiles({ migrationsFolder: folder }).map(({ sql: texts, folderMillis: when, hash }) => {
    const statements = texts.filter((text) => text.trim() !== '');
    const concurrent = statements.filter((text) => concurrently.test(text)).length;
    if (concurrent > 0 && concurrent < statements.length)
      throw new Error(`the migration of ${when} builds indexes concurrently beside other changes`);
    return { statements, when, hash, isConcurrent: concurrent > 0 };
  });
}

/** As Drizzle's own migrator has it, which older releases use. */
export const makeJournal = [
  'create schema if not exists drizzle',
  'create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
] as const;
export const newestApplied = 'select max(created_at)::text as newest from drizzle.__drizzle_migrations';

/** Those after the newest that is applied, whatever lies between: as Drizzle decides it. */
export function missingOf(migrations: readonly Migration[], newest: string | null | undefined): Migration[] {
  return migrations.filter(({ when }) => when > Number(newest ?? 0));
}

/** Applies everything in one transaction: for a database that no other process uses. */
export async function applyTogether(db: Db, folder: string): Promise<void> {
  const run = (statement: string) => db.execute(sql.raw(statement));
  for (const statement of makeJournal) await run(statement);
  const [found] = rowsOf<{ newest: string | null }>(await run(newestApplied));
  const missing = missingOf(readMigrations(folder), found?.newest);
  await db.transaction(async (tx) => {
    for (const { statements, hash, when } of missing) {
      for (const statement of statements)
        await tx.execute(sql.raw(statement.replace(/ CONCURRENTLY\b/gi, '')));
      await tx.execute(
        sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`,
      );
    }
  });
}
