import { describe, expect, it } from 'vitest';
import { type Migration, readMigrations } from '../../src/store/connection/migrations.js';
import { handoverMigrations } from '../../src/store/handover.js';

/** 0.3.0 and before: they ran while all else was stopped. */
const ofReleases = 19;
const later = readMigrations(handoverMigrations()).slice(ofReleases);

/** Statements that the release before, or a writer, would notice. */
function troublesOf({ statements }: Pick<Migration, 'statements'>): string[] {
  const made = new Set(
    statements.flatMap((text) => /CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"/i.exec(text)?.[1] ?? []),
  );
  return statements.filter((text) => {
    const indexed = /CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)[^;]+? ON "(\w+)"/i.exec(text)?.[1];
    if (indexed !== undefined) return !made.has(indexed);
    const altered = /ALTER TABLE "(\w+)"/i.exec(text)?.[1];
    if (altered !== undefined && made.has(altered)) return false;
    return (
      /\b(DROP (TABLE|COLUMN|TRIGGER|FUNCTION)|DISABLE TRIGGER|RENAME|SET NOT NULL|SET DATA TYPE|LOCK TABLE|TRUNCATE)\b/i.test(
        text,
      ) ||
      /\bADD COLUMN\b(?![^;]*\bDEFAULT\b)[^;]*\bNOT NULL\b/i.test(text) ||
      // these write every row again, or read them all, while writers wait
      /\bADD COLUMN\b[^;]*\b(GENERATED|(BIG|SMALL)?SERIAL|REFERENCES|UNIQUE|CHECK)\b/i.test(text) ||
      /\bADD COLUMN\b[^;]*\bDEFAULT\s+(?!now\(\))\w+\(/i.test(text) ||
      /\bADD CONSTRAINT\b(?![^;]*\bNOT VALID\b)/i.test(text)
    );
  });
}

describe('migrations after 0.3.0', () => {
  it('only add: the release before works on their tables, and no index is built while writers wait', () => {
    expect(later.length).toBeGreaterThan(5);
    expect(later.flatMap(troublesOf)).toEqual([]);
  });

  it.each([
    'CREATE INDEX "a" ON "inbox" USING btree ("id")',
    'CREATE UNIQUE INDEX "a" ON "inbox" USING btree ("id")',
    'ALTER TABLE "inbox" DROP COLUMN "verdict"',
    'ALTER TABLE "inbox" RENAME COLUMN "verdict" TO "judgement"',
    'ALTER TABLE "inbox" ADD COLUMN "a" text NOT NULL',
    'ALTER TABLE "inbox" ADD COLUMN "a" uuid DEFAULT gen_random_uuid() NOT NULL',
    'ALTER TABLE "inbox" ADD COLUMN "a" text GENERATED ALWAYS AS ("id"::text) STORED',
    'ALTER TABLE "inbox" ADD COLUMN "a" bigserial',
    'ALTER TABLE "inbox" ADD COLUMN "a" bigint REFERENCES "outbox"("id")',
    'ALTER TABLE "inbox" ADD COLUMN "a" text UNIQUE',
    'ALTER TABLE "inbox" ADD COLUMN "a" integer CHECK ("a" > 0)',
    'ALTER TABLE "inbox" ALTER COLUMN "verdict" SET NOT NULL',
    'ALTER TABLE "inbox" ADD CONSTRAINT "a" CHECK ("id" > 0)',
    'LOCK TABLE "inbox"',
    'DROP TRIGGER "claims_end" ON "open_reservations"',
    'ALTER TABLE "open_reservations" DISABLE TRIGGER "claims_end"',
  ])('%s is found (negative control)', (statement) => {
    expect(troublesOf({ statements: [statement] })).toEqual([statement]);
  });
});
