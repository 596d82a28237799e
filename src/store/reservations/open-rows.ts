import { type SQL, sql } from 'drizzle-orm';
import type { PersonNamed, RecordInput } from '../../contract/reservation.js';
import { currentStaff } from '../../domain/reservation/list-row.js';
import type { ListRow } from '../../domain/reservation/types.js';
import { caseFiles, openReservations } from '../schema.js';
import type { CodecKey } from '../sealing/codec-key.js';
import { CodecError } from '../sealing/errors.js';
import { createNameHashes } from '../sealing/names.js';
import { createPersonHashes } from '../sealing/person-hashes.js';
import { createPlateHashes } from '../sealing/plates.js';
import type { Sealer } from '../sealing/sealer.js';
import { unitePersons } from './united-persons.js';

type Personal = ListRow['private'];
/** What is stored to be shown; the others are found by their hashes alone. */
type Shown = Omit<Personal, 'drivers' | 'contacts'>;

/** What is stored of a row's personal data, and how it is read. */
export interface OpenRows {
  seal(
    reservationId: number,
    row: Pick<ListRow, 'status' | 'private'>,
  ): { plate: string | null; plateEnd: string | null; names: string[]; personal: Buffer };
  /** Keyed hashes of the drivers of all these states, and of others. */
  persons(rows: readonly Pick<ListRow, 'private'>[], others?: readonly PersonNamed[]): string[];
  /** Nothing where no key of ours opens it: the rest of the row is still shown. */
  open(reservationId: number, sealed: Uint8Array): Shown;
  /** Hashes to compare with, of a whole plate or of four digits, under each key. */
  plates(text: string): { column: 'plate' | 'plateEnd'; hashes: string[] };
  /** The same of the whole name of a person. */
  names(name: string): string[];
  /** The same of the whole name of who takes the next steps of a reservation: a driver of this name is another person. */
  staff(name: string): string[];
}

/** What rows are searched by. */
export type RowHashes = Pick<OpenRows, 'plates' | 'names' | 'staff'>;

export function createOpenRows(sealer: Sealer, keys: readonly CodecKey[]): OpenRows {
  const hashes = createPlateHashes(keys);
  const hashesOf = createPersonHashes(keys);
  const staffHashes = createNameHashes(keys, 'staff');
  const named = (all: readonly (string | null)[]) => all.map((name) => ({ name }));
  return {
    names: createNameHashes(keys),
    staff: staffHashes,
    seal: (reservationId, { status, private: personal }) => {
      const { drivers, contacts: _, ...shown } = personal;
      const current = currentStaff({ status, private: shown });
      const plate = shown.carNumber;
      const staff = [shown.dispatchStaff, shown.recallStaff];
      return {
        plate: plate === null ? null : (hashes.whole(plate)[0] ?? null),
        plateEnd: plate === null ? null : (hashes.end(plate)[0] ?? null),
        names: [
          ...hashesOf.stored(named([...drivers, ...staff])),
          ...(current === null ? [] : staffHashes(current).slice(0, 1)),
        ],
        personal: sealer.seal(Buffer.from(JSON.stringify(shown)), rowOf(reservationId)),
      };
    },
    persons: (rows, others = []) =>
      hashesOf.stored([
        ...rows.flatMap(({ private: { drivers, contacts = [] } }) => [...named(drivers), ...contacts]),
        ...others,
      ]),
    open(reservationId, sealed) {
      try {
        return JSON.parse(sealer.open(sealed, rowOf(reservationId)).toString());
      } catch (error) {
        if (error instanceof CodecError || error instanceof SyntaxError) return unreadable;
        throw error;
      }
    },
    plates: (text) =>
      /^\d{4}$/.test(text)
        ? { column: 'plateEnd', hashes: hashes.end(text) }
        : { column: 'plate', hashes: hashes.whole(text) },
  };
}

const rowOf = (reservationId: number) => `open_reservations/${reservationId}`;
const unreadable: Shown = { carNumber: null, dispatchStaff: null, recallStaff: null };

/**
 * Part of a statement: stores what lists show of these reservations, unless what is stored is of a later state, or the reservation has
 * been closed since. Of its drivers the row also has those who were replaced or removed, and whom events named: an erasure finds them too.
 * A trigger ends the claims of items that are over (migration 0036): it sees a claim of the same moment.
 * @returns null where no input has a row
 */
export function storeRows(inputs: readonly RecordInput[], rows: OpenRows): SQL | null {
  const states = statesOf(inputs);
  if (states.size === 0) return null;
  const stored = [...states].map(([reservationId, all]) => {
    const { period, ...listed } = newestOf(all);
    const { private: _, ...row } = listed;
    const sealed = rows.seal(reservationId, listed);
    const named = inputs.flatMap((input) =>
      input.reservationId === reservationId ? (input.persons ?? []) : [],
    );
    const text = {
      ...sealed,
      persons: rows.persons(all, named),
      personal: sealed.personal.toString('base64'),
    };
    return { reservationId, ...row, start: period?.start, end: period?.end, ...text };
  });
  return sql`
    listed as (
      insert into ${openReservations} (reservation_id, sequence, status, grade, since, car_id, company_id, product_id, start_at,
        end_at, attention, next, unknown_commands, waiting_commands, at_risk, plate, plate_end, names, persons, personal)
      select "reservationId", sequence, status, grade, to_timestamp(since / 1000.0), "carId", "companyId", "productId",
        to_timestamp("start" / 1000.0), to_timestamp("end" / 1000.0), attention, next, "unknownCommands", "waitingCommands",
        "atRisk", plate, "plateEnd", names, persons, decode(personal, 'base64')
      from jsonb_to_recordset(${JSON.stringify(stored)}::text::jsonb)
        as r("reservationId" bigint, sequence bigint, status integer, grade text, since bigint, "carId" bigint,
          "companyId" bigint, "productId" bigint, "start" bigint, "end" bigint, attention jsonb, next text,
          "unknownCommands" integer, "waitingCommands" integer, "atRisk" boolean, plate text, "plateEnd" text, names text[],
          persons text[], personal text)
      where not exists (
        select from ${caseFiles} c
        where c.reservation_id = r."reservationId" and c.closed_at >= to_timestamp(r.sequence / 1000.0))
      order by "reservationId"
      on conflict (reservation_id) do update set (sequence, written_at, status, grade, since, car_id, company_id, product_id,
          start_at, end_at, attention, next, unknown_commands, waiting_commands, at_risk, plate, plate_end, names, persons,
          personal)
        = (excluded.sequence, now(), excluded.status, excluded.grade, excluded.since, excluded.car_id, excluded.company_id,
          excluded.product_id, excluded.start_at, excluded.end_at, excluded.attention, excluded.next,
          excluded.unknown_commands, excluded.waiting_commands, excluded.at_risk, excluded.plate, excluded.plate_end,
          excluded.names, ${unitePersons(openReservations.persons, sql`excluded.persons`)}, excluded.personal)
        where ${openReservations.sequence} <= excluded.sequence
    )`;
}

/** By reservation, in the order of the steps: those of one reservation may share a statement. */
function statesOf(inputs: readonly RecordInput[]): Map<number, [ListRow, ...ListRow[]]> {
  const states = new Map<number, [ListRow, ...ListRow[]]>();
  for (const { reservationId, row } of inputs) {
    if (row === undefined) continue;
    const known = states.get(reservationId);
    if (known === undefined) states.set(reservationId, [row]);
    else known.push(row);
  }
  return states;
}

const newestOf = (states: readonly [ListRow, ...ListRow[]]) =>
  states.reduce((newest, one) => (one.sequence >= newest.sequence ? one : newest));
