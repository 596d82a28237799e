import { inArray, lt, sql } from 'drizzle-orm';
import type { AttemptId } from '../contract/attempt.js';
import { isDataError } from './connection/errors.js';
import { GroupCommit } from './connection/group-commit.js';
import { rowsOf } from './connection/rows.js';
import type { HandoverDatabase, HandoverDb } from './handover.js';
import { attempts } from './schema.js';

/** `known`: recorded before, so its request may have left; `unavailable`: the database did not record it. */
export type RecordedAttempt = 'recorded' | 'known' | 'unavailable';

/** Records each attempt to change something on the platform before its request leaves. */
export interface Attempts {
  record(id: Pick<AttemptId, 'command' | 'attempt'>, runId: string): Promise<RecordedAttempt>;
}

interface Item extends Pick<AttemptId, 'command' | 'attempt'> {
  runId: string;
  at: number;
  isNew?: boolean;
}

/** Where two runs record the same attempt, only one gets the row. Attempts that come together share a statement. */
export function createAttempts(prompt: HandoverDatabase['prompt']): Attempts {
  const group = new GroupCommit<Item>({
    write: (items) => insertNew(prompt, items),
    isItemsFault: isDataError,
    maxItems: 32,
    beside: { most: 4, afterMs: 200, keyOf: ({ command }) => command },
  });
  return {
    async record({ command, attempt }, runId) {
      const item: Item = { command, attempt, runId, at: Date.now() };
      try {
        await group.add(item);
        return item.isNew === true ? 'recorded' : 'known';
      } catch {
        return 'unavailable';
      }
    },
  };
}

/** Inserts attempts that are not recorded yet, and marks these as new. */
async function insertNew(db: HandoverDb, items: Item[]): Promise<void> {
  const inserted = await db.execute(sql`
    insert into ${attempts} (command, attempt, run_id, at)
    select command, attempt, "runId", to_timestamp(at / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(items)}::text::jsonb)
      as i(command text, attempt text, "runId" text, at bigint)
    order by command, attempt
    on conflict do nothing returning command, attempt, run_id`);
  for (const row of rowsOf<{ command: string; attempt: string; run_id: string }>(inserted)) {
    const item = items.find(
      (one) => one.command === row.command && one.attempt === row.attempt && one.runId === row.run_id,
    );
    if (item !== undefined) item.isNew = true;
  }
}

/** Deletes attempts recorded before an instant, at most `limit` of them. @returns how many */
export async function purgeAttempts(db: HandoverDb, before: number, limit: number): Promise<number> {
  const row = sql`ctid`;
  const old = db.select({ row }).from(attempts).where(lt(attempts.at, before)).limit(limit);
  const purged = await db.delete(attempts).where(inArray(row, old)).returning({ at: attempts.at });
  return purged.length;
}
