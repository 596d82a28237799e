import { inArray, lt, sql } from 'drizzle-orm';
import type { AttemptId } from '../contract/attempt.js';
import type { HandoverDatabase, HandoverDb } from './handover.js';
import { attempts } from './schema.js';

/** `known`: recorded before, so its request may have left; `unavailable`: the database did not record it. */
export type RecordedAttempt = 'recorded' | 'known' | 'unavailable';

/** Records each attempt to change something on the platform before its request leaves. */
export interface Attempts {
  record(id: Pick<AttemptId, 'command' | 'attempt'>, runId: string): Promise<RecordedAttempt>;
}

/** One statement per attempt: where two runs record the same attempt, only one gets the row. */
export function createAttempts(prompt: HandoverDatabase['prompt']): Attempts {
  return {
    async record({ command, attempt }, runId) {
      try {
        const inserted = await prompt
          .insert(attempts)
          .values({ command, attempt, runId, at: Date.now() })
          .onConflictDoNothing()
          .returning({ attempt: attempts.attempt });
        return inserted.length > 0 ? 'recorded' : 'known';
      } catch {
        return 'unavailable';
      }
    },
  };
}

/** Deletes attempts recorded before an instant, at most `limit` of them. @returns how many */
export async function purgeAttempts(db: HandoverDb, before: number, limit: number): Promise<number> {
  const row = sql`ctid`;
  const old = db.select({ row }).from(attempts).where(lt(attempts.at, before)).limit(limit);
  const purged = await db.delete(attempts).where(inArray(row, old)).returning({ at: attempts.at });
  return purged.length;
}
