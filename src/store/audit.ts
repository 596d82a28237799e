import { and, desc, eq, gte, lt } from 'drizzle-orm';
import type { AuditEntry } from '../domain/shared/audit.js';
import type { HandoverDb } from './handover.js';
import { type ListPage, page } from './page.js';
import { audit } from './schema.js';
import { CodecError } from './sealing/errors.js';
import type { Sealer } from './sealing/sealer.js';

/** An entry to write. */
export interface NewAuditEntry extends AuditEntry {
  /** Where it may be written again, by a workflow for one: each action of an id is stored once. */
  commandId?: string;
}

/** An entry as it is read. `reason` is also null where no key opens it; `reasonCode` then names the error. */
export interface StoredAuditEntry extends Omit<AuditEntry, 'action'> {
  id: number;
  /** An `AuditAction`, or one of another release. */
  action: string;
  commandId: string | null;
  reasonCode: CodecError['code'] | null;
}

interface AuditFilter {
  by?: string;
  action?: string;
  subject?: string;
  /** An instant. */
  since?: number;
  /** `nextCursor` of the page before: a whole number. */
  cursor?: string;
  limit: number;
}

/** Writes an entry in the transaction of its change, so that neither exists without the other. */
export async function writeAudit(
  tx: Pick<HandoverDb, 'insert'>,
  sealer: Pick<Sealer, 'seal'>,
  { reason, ...entry }: NewAuditEntry,
): Promise<void> {
  const sealed = reason === null ? null : sealer.seal(Buffer.from(reason), rowOf(entry));
  await tx
    .insert(audit)
    .values({ ...entry, reason: sealed })
    .onConflictDoNothing();
}

export interface Audit {
  /** Newest first. */
  list(filter: AuditFilter): Promise<ListPage<StoredAuditEntry>>;
  /** An entry of its own; one with a `commandId` once. */
  record(entry: NewAuditEntry): Promise<void>;
}

export function createAudit(db: HandoverDb, sealer: Pick<Sealer, 'seal' | 'open'>): Audit {
  return {
    record: (entry) => writeAudit(db, sealer, entry),
    async list({ by, action, subject, since, cursor, limit }) {
      const asOf = Date.now();
      const rows = await db
        .select()
        .from(audit)
        .where(
          and(
            by === undefined ? undefined : eq(audit.by, by),
            action === undefined ? undefined : eq(audit.action, action),
            subject === undefined ? undefined : eq(audit.subject, subject),
            since === undefined ? undefined : gte(audit.at, since),
            cursor === undefined ? undefined : lt(audit.id, Number(cursor)),
          ),
        )
        .orderBy(desc(audit.id))
        .limit(limit + 1);
      const { items, ...rest } = page(rows, limit, ({ id }) => id, asOf);
      return {
        items: items.map(({ reason, ...row }) => ({ ...row, ...openReason(sealer, reason, rowOf(row)) })),
        ...rest,
      };
    },
  };
}

function openReason(
  sealer: Pick<Sealer, 'open'>,
  sealed: Buffer | null,
  row: string,
): Pick<StoredAuditEntry, 'reason' | 'reasonCode'> {
  if (sealed === null) return { reason: null, reasonCode: null };
  try {
    return { reason: sealer.open(sealed, row).toString(), reasonCode: null };
  } catch (error) {
    if (error instanceof CodecError) return { reason: null, reasonCode: error.code };
    throw error;
  }
}

/** Identifies an entry by its content, because the database numbers entries only while it writes them. */
function rowOf({
  at,
  by,
  action,
  subject,
}: Pick<StoredAuditEntry, 'at' | 'by' | 'action' | 'subject'>): string {
  return `audit/${JSON.stringify([new Date(at).getTime(), by, action, subject])}`;
}
