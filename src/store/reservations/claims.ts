import { and, eq, sql } from 'drizzle-orm';
import type { AttentionKind } from '../../domain/reservation/types.js';
import { writeAudit } from '../audit.js';
import type { HandoverDb } from '../handover.js';
import { attentionClaims, openReservations } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';

/** An attention item of a reservation. */
interface ItemOfReservation {
  reservationId: number;
  kind: AttentionKind;
}

export type ClaimAnswer =
  | { kind: 'done' }
  /** No such item is open. */
  | { kind: 'no-item' }
  /** Another person has it. */
  | { kind: 'claimed'; owner: string };

/** Who takes care of an attention item. A claim ends with its item, unless the item comes again before the end was stored. */
export interface Claims {
  /**
   * Gives an item an owner. The same once more changes nothing.
   * @param from the owner that the sender saw; null: none. An item that another person has meanwhile is refused. Absent: any owner
   */
  claim(
    item: ItemOfReservation,
    claim: { owner: string; by: string; from?: string | null | undefined },
  ): Promise<ClaimAnswer>;
  /** The item has no owner any more. @param from as of `claim` */
  release(item: ItemOfReservation, release: { by: string; from?: string }): Promise<ClaimAnswer>;
  /** The owners of a reservation's items, by kind. */
  ownersOf(reservationId: number): Promise<Partial<Record<AttentionKind, string>>>;
}

export function createClaims(db: HandoverDb, sealer: Pick<Sealer, 'seal'>): Claims {
  const is = ({ reservationId, kind }: ItemOfReservation) =>
    and(eq(attentionClaims.reservationId, reservationId), eq(attentionClaims.kind, kind));

  /** Each change with its entry in the audit. */
  async function change(
    item: ItemOfReservation,
    by: string,
    changeTo: (before: string | null) => string | null | ClaimAnswer,
  ): Promise<ClaimAnswer> {
    return db.transaction(async (tx) => {
      const [found] = await tx
        .select({ attention: openReservations.attention })
        .from(openReservations)
        .where(eq(openReservations.reservationId, item.reservationId))
        // one claim of a reservation at a time
        .for('no key update');
      if (!found?.attention.some(({ kind }) => kind === item.kind)) return { kind: 'no-item' };
      const [claimed] = await tx
        .select({ owner: attentionClaims.owner })
        .from(attentionClaims)
        .where(is(item));
      const before = claimed?.owner ?? null;
      const owner = changeTo(before);
      if (owner !== null && typeof owner !== 'string') return owner;
      if (owner === before) return { kind: 'done' };
      if (owner === null) await tx.delete(attentionClaims).where(is(item));
      else
        await tx
          .insert(attentionClaims)
          .values({ ...item, owner, by })
          .onConflictDoUpdate({
            target: [attentionClaims.reservationId, attentionClaims.kind],
            set: { owner, by, at: sql`now()` },
          });
      await writeAudit(tx, sealer, {
        at: Date.now(),
        by,
        action: owner === null ? 'attention.release' : 'attention.claim',
        subject: `reservation/${item.reservationId}`,
        reason: null,
        data: { kind: item.kind, before, owner },
      });
      return { kind: 'done' };
    });
  }

  return {
    claim: (item, { owner, by, from }) =>
      change(item, by, (before) => (before === owner ? owner : (refusal(before, from) ?? owner))),
    release: (item, { by, from }) => change(item, by, (before) => refusal(before, from) ?? null),
    async ownersOf(reservationId) {
      const rows = await db
        .select({ kind: attentionClaims.kind, owner: attentionClaims.owner })
        .from(attentionClaims)
        .where(eq(attentionClaims.reservationId, reservationId));
      return Object.fromEntries(rows.map(({ kind, owner }) => [kind, owner]));
    },
  };
}

/** Undefined: it may change hands. */
function refusal(before: string | null, from: string | null | undefined): ClaimAnswer | undefined {
  if (before === null || from === undefined || before === from) return undefined;
  return { kind: 'claimed', owner: before };
}
