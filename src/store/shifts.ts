import { desc, eq, lt } from 'drizzle-orm';
import type { AuditEntry } from '../domain/shared/audit.js';
import { markOf, standingOf } from '../domain/shared/idempotency.js';
import { writeAudit } from './audit.js';
import type { HandoverDb } from './handover.js';
import { type ListPage, page } from './page.js';
import { shifts } from './schema.js';
import { CodecError } from './sealing/errors.js';
import type { Sealer } from './sealing/sealer.js';

/** A shift that a person accepted, or a note during one. Times are instants. */
export interface Shift {
  shiftId: number;
  at: number;
  /** The person's name. */
  by: string;
  /** From when on what happened was reviewed; null: no shift was accepted, the note was added. */
  since: number | null;
  /** For the next shift; personal data (L60). Null: there is none, or no key of ours opens it. */
  note: string | null;
}

export interface Shifts {
  /** Once per key, also after the note was deleted; `reused`: the key stands for another entry (L21). @throws `CodecError` */
  add(shift: Omit<Shift, 'shiftId'>, commandId: string): Promise<Shift | 'reused'>;
  /** Newest first. */
  list(filter: { cursor?: string; limit: number }): Promise<ListPage<Shift>>;
}

export function createShifts(db: HandoverDb, sealer: Sealer): Shifts {
  const shown = ({ id, at, by, since, note, commandId }: typeof shifts.$inferSelect): Shift => {
    return { shiftId: id, at, by, since, note: note === null ? null : open(sealer, note, commandId) };
  };
  return {
    add: ({ note, ...shift }, commandId) =>
      db.transaction(async (tx) => {
        const mark = shiftMark({ ...shift, note });
        const sealed = note === null ? null : sealer.seal(Buffer.from(note), rowOf(commandId));
        const [written] = await tx
          .insert(shifts)
          .values({
            ...shift,
            commandId,
            note: sealed,
            mark: sealer.seal(Buffer.from(mark), markRow(commandId)),
          })
          .onConflictDoNothing()
          .returning();
        if (written !== undefined) {
          const { at, by, since } = shift;
          const subject = `shift/${written.id}`;
          const entry = { at, by, subject, reason: null };
          await writeAudit(tx, sealer, { ...entry, ...deedOf({ since, note }) });
          return { ...shift, shiftId: written.id, note };
        }
        const [known] = await tx.select().from(shifts).where(eq(shifts.commandId, commandId));
        if (known === undefined) throw new Error('a shift is never deleted');
        const earlier = shown(known);
        const knownMark = known.mark === null ? shiftMark(earlier) : openMark(sealer, known.mark, commandId);
        return standingOf({ mark: knownMark }, mark) === 'same' ? earlier : 'reused';
      }),
    async list({ cursor, limit }) {
      const asOf = Date.now();
      const rows = await db
        .select()
        .from(shifts)
        .where(cursor === undefined ? undefined : lt(shifts.id, Number(cursor)))
        .orderBy(desc(shifts.id))
        .limit(limit + 1);
      const { items, ...rest } = page(rows, limit, ({ id }) => id, asOf);
      return { items: items.map(shown), ...rest };
    },
  };
}

/** What the audit states of it, which is never the note. */
function deedOf({ since, note }: Pick<Shift, 'since' | 'note'>): Pick<AuditEntry, 'action' | 'data'> {
  if (since === null) return { action: 'shift.note', data: {} };
  return { action: 'shift.accept', data: { since: new Date(since).toISOString(), note: note !== null } };
}

function open(sealer: Pick<Sealer, 'open'>, sealed: Buffer, commandId: string): string | null {
  try {
    return sealer.open(sealed, rowOf(commandId)).toString();
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}

/** The sender is a part of its content: a shift is one person's. Notes have the same action, so that a key stands for one of both. */
function shiftMark({ by: person, since, note }: Pick<Shift, 'by' | 'since' | 'note'>): string {
  return markOf('acceptShift', { person, since, note });
}

/** @throws `CodecError` */
function openMark(sealer: Pick<Sealer, 'open'>, sealed: Buffer, commandId: string): string {
  return sealer.open(sealed, markRow(commandId)).toString();
}

const rowOf = (commandId: string) => `shifts/${commandId}`;
const markRow = (commandId: string) => `shifts/${commandId}/mark`;
