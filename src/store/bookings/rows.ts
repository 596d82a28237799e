import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import type { BookingStart } from '../../contract/booking.js';
import { isAlike } from '../../domain/booking/match.js';
import type { BookingCandidate, BookingRequest, BookingState } from '../../domain/booking/types.js';
import { timestamptz } from '../columns.js';
import type { HandoverDb } from '../handover.js';
import { bookings, inbox } from '../schema.js';
import { startMarkOf } from '../sealing/mark.js';
import type { PersonHashes } from '../sealing/person-hashes.js';
import type { Sealer } from '../sealing/sealer.js';

/** A booking that is not resolved, with its request. */
export interface OpenBooking {
  commandId: string;
  createdAt: number;
  request: BookingRequest;
  candidates: BookingCandidate[];
}

type SealedColumn = 'mark' | 'request' | 'message' | 'settlement';
/** The row that a sealed column of a booking is bound to. */
export const sealedRow = (commandId: string, column: SealedColumn) => `bookings/${commandId}/${column}`;

/** The mark of the resolution by a person; undefined: its row has none. @throws `CodecError` */
export function openSettlementMark(
  sealer: Pick<Sealer, 'open'>,
  { commandId, settlementMark }: Pick<typeof bookings.$inferSelect, 'commandId' | 'settlementMark'>,
): string | undefined {
  return settlementMark === null
    ? undefined
    : sealer.open(settlementMark, sealedRow(commandId, 'settlement')).toString();
}

export const openStates: BookingState[] = ['out', 'unknown', 'ambiguous'];
const isOpen = inArray(bookings.state, openStates);
/** Tolerance for two clocks of ours, and for a profile that drops milliseconds. */
const clocksMs = 60_000;

/**
 * Stores a booking before it is sent (F30). Idempotent.
 * @returns `known`: another run stored it before, and may have sent it
 */
export async function storeBooking(
  db: HandoverDb,
  sealer: Pick<Sealer, 'seal'>,
  { start, runId, at }: { start: BookingStart; runId: string; at: number },
  hashes?: Pick<PersonHashes, 'stored'>,
): Promise<'kept' | 'known'> {
  const { commandId, by, request } = start;
  const { productId, startAt, endAt } = request;
  const seal = (column: SealedColumn, text: string) =>
    sealer.seal(Buffer.from(text), sealedRow(commandId, column));
  const [row] = await db
    .insert(bookings)
    .values({
      commandId,
      runId,
      by,
      productId,
      startAt,
      endAt,
      createdAt: at,
      mark: seal('mark', startMarkOf(commandId, request)),
      request: seal('request', JSON.stringify(request)),
      persons: hashes?.stored([request.driver, request.companionInfo ?? {}]) ?? null,
    })
    // changes nothing, and returns the existing row
    .onConflictDoUpdate({ target: bookings.commandId, set: { commandId } })
    .returning({ runId: bookings.runId });
  return row?.runId === runId ? 'kept' : 'known';
}

/** The run that stored a booking; undefined: none did. */
export async function runOf(db: HandoverDb, commandId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ runId: bookings.runId })
    .from(bookings)
    .where(eq(bookings.commandId, commandId));
  return row?.runId;
}

/** @throws `CodecError` */
export async function openBooking(
  db: HandoverDb,
  sealer: Pick<Sealer, 'open'>,
  commandId: string,
): Promise<OpenBooking | 'settled' | 'missing'> {
  const { createdAt, request, candidates } = bookings;
  const [row] = await db
    .select({ createdAt, request, candidates })
    .from(bookings)
    .where(eq(bookings.commandId, commandId));
  if (row === undefined) return 'missing';
  if (row.request === null) return 'settled';
  return {
    commandId,
    createdAt: row.createdAt,
    candidates: row.candidates,
    request: JSON.parse(sealer.open(row.request, sealedRow(commandId, 'request')).toString()),
  };
}

/** States of the other open bookings that only their answers distinguish from this one (F33). */
export async function readStatesAlike(
  db: HandoverDb,
  sealer: Pick<Sealer, 'open'>,
  { commandId, request }: Pick<OpenBooking, 'commandId' | 'request'>,
): Promise<BookingState[]> {
  const second = sql`interval '1 second'`;
  const near = (column: typeof bookings.startAt | typeof bookings.endAt, at: number) => {
    const instant = timestamptz(at);
    return sql`${column} > ${instant} - ${second} and ${column} < ${instant} + ${second}`;
  };
  const rows = await db
    .select({ commandId: bookings.commandId, state: bookings.state, request: bookings.request })
    .from(bookings)
    .where(
      and(
        isOpen,
        ne(bookings.commandId, commandId),
        eq(bookings.productId, request.productId),
        near(bookings.startAt, request.startAt),
        near(bookings.endAt, request.endAt),
      ),
    );
  return rows
    .filter(
      (row) =>
        row.request !== null &&
        isAlike(
          request,
          JSON.parse(sealer.open(row.request, sealedRow(row.commandId, 'request')).toString()),
        ),
    )
    .map(({ state }) => state);
}

/** Removes candidates that were known before the booking was sent, or that other bookings have (F34). */
export async function filterUnclaimed(
  db: HandoverDb,
  { commandId, createdAt }: Pick<OpenBooking, 'commandId' | 'createdAt'>,
  candidates: readonly BookingCandidate[],
): Promise<BookingCandidate[]> {
  if (candidates.length === 0) return [];
  const ids = candidates.map(({ reservationId }) => reservationId);
  const known = await db
    .selectDistinct({ id: inbox.reservationId })
    .from(inbox)
    .where(and(inArray(inbox.reservationId, ids), lt(inbox.receivedAt, createdAt - clocksMs)));
  const claimed = await db
    .select({ id: bookings.reservationId })
    .from(bookings)
    .where(and(inArray(bookings.reservationId, ids), ne(bookings.commandId, commandId)));
  const gone = new Set([...known, ...claimed].map(({ id }) => id));
  return candidates.filter(({ reservationId }) => !gone.has(reservationId));
}

/** Records what is known of an open booking; a resolved one stays as it is. */
export async function noteBooking(
  db: HandoverDb,
  commandId: string,
  noted: { state: 'unknown' | 'ambiguous'; code: string; candidates: BookingCandidate[] },
): Promise<void> {
  await db
    .update(bookings)
    .set(noted)
    .where(and(eq(bookings.commandId, commandId), isOpen));
}
