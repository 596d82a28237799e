import { and, desc, eq, lt } from 'drizzle-orm';
import type { BookingEnd, SettledBy } from '../../contract/booking.js';
import type { BookingCandidate, BookingRequest, BookingState } from '../../domain/booking/types.js';
import type { HandoverDb } from '../handover.js';
import { type ListPage, page } from '../page.js';
import { bookings } from '../schema.js';
import type { Sealer } from '../sealing/sealer.js';
import { openSettlementMark, readStatesAlike, sealedRow } from './rows.js';
import { splitTexts } from './texts.js';

/** A booking of a list: nothing personal (L60). Instants. */
export interface BookingItem {
  commandId: string;
  state: BookingState;
  by: string;
  productId: number;
  startAt: number;
  endAt: number;
  createdAt: number;
  /** Why the outcome is unknown, or the code of a refusal. */
  code: string | null;
  reservationId: number | null;
  /** The platform's string, raw (G12). */
  status: string | null;
  settledBy: SettledBy | null;
  settledAt: number | null;
}

/** One booking. `request` and `message` are personal; the request is stored until the booking is resolved. */
export interface BookingDetail extends BookingItem {
  candidates: BookingCandidate[];
  /** Number of other open bookings that only their answers distinguish from this one. */
  alike: number;
  request: BookingRequest | null;
  message: string | null;
}

export interface BookingFilter {
  state?: BookingState;
  /** `nextCursor` of the page before: a whole number. */
  cursor?: string;
  limit: number;
}

/** The booking that a command id already stands for. */
export interface KnownBooking {
  /** Identifies the request; see `startMarkOf`. */
  mark: string;
  state: BookingState;
  code: string | null;
  /** How it ended; null while it is open. */
  end: BookingEnd | null;
  /** Id of the request that resolved it, and what it stands for (`resolutionMark`); no mark: not stored. */
  settlementId: string | null;
  settlementMark?: string | undefined;
}

export interface BookingReads {
  /** Newest first. */
  list(filter: BookingFilter): Promise<ListPage<BookingItem>>;
  /** @throws `CodecError` */
  read(commandId: string): Promise<BookingDetail | undefined>;
  /** @throws `CodecError` */
  find(commandId: string): Promise<KnownBooking | undefined>;
}

export function createBookingReads(db: HandoverDb, sealer: Sealer): BookingReads {
  const one = async (commandId: string): Promise<Row | undefined> => {
    const [row] = await db.select().from(bookings).where(eq(bookings.commandId, commandId));
    return row;
  };
  const opened = (sealed: Buffer | null, row: string) =>
    sealed === null ? null : sealer.open(sealed, row).toString();
  const known = (row: Row): KnownBooking => {
    const { commandId, state, code, settlementId } = row;
    const mark = sealer.open(row.mark, sealedRow(commandId, 'mark')).toString();
    const message = opened(row.message, sealedRow(commandId, 'message'));
    const settlementMark = openSettlementMark(sealer, row);
    return { mark, state, code, settlementId, settlementMark, end: endOf(row, message) };
  };
  return {
    async list({ state, cursor, limit }) {
      const asOf = Date.now();
      const rows = await db
        .select()
        .from(bookings)
        .where(
          and(
            state === undefined ? undefined : eq(bookings.state, state),
            cursor === undefined ? undefined : lt(bookings.id, Number(cursor)),
          ),
        )
        .orderBy(desc(bookings.id))
        .limit(limit + 1);
      const { items, ...rest } = page(rows, limit, ({ id }) => id, asOf);
      return { items: items.map(itemOf), ...rest };
    },
    async read(commandId) {
      const row = await one(commandId);
      if (row === undefined) return undefined;
      const text = opened(row.request, sealedRow(commandId, 'request'));
      const request: BookingRequest | null = text === null ? null : JSON.parse(text);
      const alike = request === null ? [] : await readStatesAlike(db, sealer, { commandId, request });
      const texts = opened(row.message, sealedRow(commandId, 'message'));
      const message = texts === null ? null : splitTexts(texts).message;
      return { ...itemOf(row), candidates: row.candidates, alike: alike.length, request, message };
    },
    async find(commandId) {
      const row = await one(commandId);
      return row === undefined ? undefined : known(row);
    },
  };
}

type Row = typeof bookings.$inferSelect;

function itemOf(row: Row): BookingItem {
  const { commandId, state, by, productId, startAt, endAt, createdAt, code } = row;
  const { reservationId, status, settledBy, settledAt } = row;
  return {
    commandId,
    state,
    by,
    productId,
    startAt,
    endAt,
    createdAt,
    code,
    reservationId,
    status,
    settledBy,
    settledAt,
  };
}

function endOf(row: Row, message: string | null): BookingEnd | null {
  const { state, code, reservationId, status, carNumber, startAt, endAt } = row;
  const settledBy = row.settledBy ?? 'answer';
  if (state === 'rejected') {
    return { outcome: 'rejected', code: code ?? 'REFUSED', ...splitTexts(message ?? ''), settledBy };
  }
  if (state !== 'applied' || reservationId === null) return null;
  const { pickupAt, returnAt } = row;
  return {
    outcome: 'applied',
    reservationId,
    status,
    carNumber,
    pickupAt: pickupAt ?? startAt,
    returnAt: returnAt ?? endAt,
    settledBy,
  };
}
