import { and, desc, eq, gt, isNotNull, isNull, lt, lte, ne, sql } from 'drizzle-orm';
import type { HoldRecord } from '../../contract/hold.js';
import { rfc3339Times } from '../../contract/older-view.js';
import type { HoldFacts, HoldStateName, HoldView } from '../../domain/hold/index.js';
import type { Period } from '../../domain/shared/time.js';
import type { Alerts } from '../alerts/alerts.js';
import { message } from '../alerts/messages/message.js';
import { writeAudit } from '../audit.js';
import type { HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { holds } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';

export interface HoldFilter {
  carId?: number;
  state?: HoldStateName;
  open?: boolean;
  /** The period overlaps [from, to). */
  from?: number;
  to?: number;
  /** `nextCursor` of the page before: a whole number. */
  cursor?: string;
  limit: number;
}

/** Rows of holds, written by their workflows. */
export interface HoldStore {
  /** The newest first. */
  list(filter: HoldFilter): Promise<ListPage<HoldFacts>>;
  /**
   * The last written view, and when (an instant); undefined: there is no such hold.
   * @throws `CodecError` where no key of ours opens it
   */
  read(holdId: string): Promise<{ view: HoldView; writtenAt: number } | undefined>;
  /** An open hold of the car that overlaps the period, other than the one named. */
  findOverlapping(carId: number, period: Period, except: string): Promise<HoldFacts | undefined>;
}

/** Reads whose turn it is before a hold withdraws its car from sale (F03). */
export function createTurns(db: HandoverDb) {
  return async ({ carId, holdId, before }: { carId: number; holdId: string; before: number }) => {
    const giving = and(
      eq(holds.carId, carId),
      eq(holds.withdrawFromSale, true),
      isNull(holds.endedAt),
      ne(holds.holdId, holdId),
      lte(holds.endAt, before),
    );
    const [row] = await select(db, giving, 1);
    return { holdId: row?.holdId ?? null };
  };
}

/** The row that the sealed view is bound to. */
export const rowOf = (holdId: string) => `holds/${holdId}`;

export function createHoldStore(db: HandoverDb, sealer: Pick<Sealer, 'open'>): HoldStore {
  return {
    async list({ limit, ...filter }) {
      const asOf = Date.now();
      const rows = await select(db, toCondition(filter), limit + 1);
      const { items, ...rest } = page(rows, limit, ({ seq }) => seq, asOf);
      return { items: items.map(factsOf), ...rest };
    },
    async read(holdId) {
      const { view, writtenAt } = holds;
      const [row] = await db.select({ view, writtenAt }).from(holds).where(eq(holds.holdId, holdId));
      if (row === undefined) return undefined;
      const opened = sealer.open(row.view, rowOf(holdId)).toString();
      return { view: rfc3339Times(JSON.parse(opened)), writtenAt: row.writtenAt };
    },
    async findOverlapping(carId, { start, end }, except) {
      const ofCar = and(
        eq(holds.carId, carId),
        isNull(holds.endedAt),
        ne(holds.holdId, except),
        lt(holds.startAt, end),
        gt(holds.endAt, start),
      );
      const [row] = await select(db, ofCar, 1);
      return row === undefined ? undefined : factsOf(row);
    },
  };
}

function toCondition({ carId, state, open, from, to, cursor }: Omit<HoldFilter, 'limit'>) {
  return and(
    carId === undefined ? undefined : eq(holds.carId, carId),
    state === undefined ? undefined : eq(holds.state, state),
    open === undefined ? undefined : open ? isNull(holds.endedAt) : isNotNull(holds.endedAt),
    to === undefined ? undefined : lt(holds.startAt, to),
    from === undefined ? undefined : gt(holds.endAt, from),
    cursor === undefined ? undefined : lt(holds.seq, Number(cursor)),
  );
}

const listed = {
  seq: holds.seq,
  holdId: holds.holdId,
  carId: holds.carId,
  startAt: holds.startAt,
  endAt: holds.endAt,
  state: holds.state,
  withdrawFromSale: holds.withdrawFromSale,
  reservationId: holds.reservationId,
  createdAt: holds.createdAt,
  endedAt: holds.endedAt,
  attention: holds.attention,
};

function select(db: HandoverDb, where: ReturnType<typeof and>, limit: number) {
  return db.select(listed).from(holds).where(where).orderBy(desc(holds.seq)).limit(limit);
}

type Row = Awaited<ReturnType<typeof select>>[number];

function factsOf({ seq: _seq, startAt, endAt, ...row }: Row): HoldFacts {
  return { ...row, period: { start: startAt, end: endAt }, open: row.endedAt === null };
}

/** The columns of a hold's row. @param at when it is written, an instant */
export function columnsOf(
  sealer: Pick<Sealer, 'seal'>,
  { at, facts, view }: Pick<HoldRecord, 'at' | 'facts' | 'view'>,
) {
  const { period, open: _, ...rest } = facts;
  return {
    ...rest,
    startAt: period.start,
    endAt: period.end,
    writtenAt: at,
    view: sealer.seal(Buffer.from(JSON.stringify(view)), rowOf(facts.holdId)),
  };
}

/**
 * Writes what a hold's workflow reports: the row and its audit entries in one transaction, then raises or clears its alert.
 * Idempotent: a repeat changes nothing, and an older report does not replace a newer one (F16, F17).
 */
export function createHoldRecorder(
  db: HandoverDb,
  { sealer, alerts }: { sealer: Pick<Sealer, 'seal'>; alerts: Pick<Alerts, 'raise' | 'clear'> },
) {
  return async ({ at, facts, view, audit }: HoldRecord): Promise<void> => {
    const { holdId, open } = facts;
    const { holdId: _, ...content } = columnsOf(sealer, { at, facts, view });
    await db.transaction(async (tx) => {
      await tx
        .insert(holds)
        .values({ holdId, ...content })
        .onConflictDoUpdate({
          target: holds.holdId,
          set: content,
          // a delayed attempt may arrive after its successor, or after an erasure
          setWhere: sql`${holds.writtenAt} <= excluded.written_at and ${holds.erasedAt} is null`,
        });
      for (const { seq, ...line } of audit) {
        await writeAudit(tx, sealer, { ...line, commandId: `hold-${holdId}.${seq}` });
      }
    });
    const subject = { kind: 'hold-stuck' as const, subject: holdId, at };
    if (open && facts.attention.length > 0) {
      const { carId, attention } = facts;
      await alerts.raise({ ...subject, message: message('alert.hold-stuck', { holdId, carId, attention }) });
    } else await alerts.clear(subject);
  };
}
