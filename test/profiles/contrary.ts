import { z } from 'zod';
import { platformCodes } from '../../src/platform/errors.js';
import type { AnnouncedReservation, Callback, CommandReceipt, Received } from '../../src/platform/model.js';
import type {
  Listing,
  Operation,
  Operations,
  Page,
  Schema,
  WireProfile,
} from '../../src/platform/profile.js';
import { sentObject } from '../../src/platform/profiles/codecs/objects.js';
import { defaultProfile } from '../../src/platform/profiles/default/index.js';
import { moment } from '../../src/platform/profiles/default/moments.js';
import { saleChoice } from '../../src/platform/profiles/default/product.js';
import { reservation } from '../../src/platform/profiles/default/reservation.js';

/** Another value wherever the wire profile's table names one: what passes under both knows no default. */

type Wire = Record<string, unknown>;

const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (key: string) => key.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const renamed = (object: Wire, rename: (key: string) => string): Wire =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]));
const inside = (object: Wire, key: string, rename: (key: string) => string): Wire =>
  typeof object[key] === 'object' && object[key] !== null
    ? { ...object, [key]: renamed(object[key] as Wire, rename) }
    : object;

/** G01: snake_case, the status a string of digits. */
const snakeReservation: Schema<AnnouncedReservation> = z.codec(
  z.looseObject({ reservation_status: z.string().regex(/^\d+$/) }),
  reservation,
  {
    decode: ({ reservation_status, ...rest }) => ({
      ...inside(renamed(rest, camel), 'productInfo', camel),
      reservationStatus: Number(reservation_status),
    }),
    encode: ({ reservationStatus, ...rest }: Wire) => ({
      ...inside(renamed(rest, snake), 'product_info', snake),
      reservation_status: String(reservationStatus),
    }),
  },
);

/** G21: pages. */
function paged<P, Q, Item>(
  operation: Operation<P, Q, Record<string, never>, Listing<Item>>,
): Operation<P, Q & Page, Record<string, never>, Listing<Item>> {
  const whole = operation.success.schema;
  if (!whole) throw new Error('a list has an answer');
  const page: Schema<Page> = z.object({ page: z.string().exactOptional() });
  const answer = z.codec(
    sentObject({ items: z.unknown(), next: z.string().exactOptional() }),
    z.custom<Listing<Item>>(),
    {
      decode: ({ items, next }) => ({ ...z.decode(whole, items), ...(next !== undefined && { next }) }),
      encode: ({ items, next }) => ({
        items: z.encode(whole, { items }),
        ...(next !== undefined && { next }),
      }),
    },
  );
  return {
    ...operation,
    query: z.intersection(operation.query, page),
    success: { status: operation.success.status, schema: answer },
  };
}

/** G16: 204, empty. */
function silent<B>(
  operation: Operation<{ id: number }, Record<string, never>, B, Received<CommandReceipt> | undefined>,
): Operation<{ id: number }, Record<string, never>, B, Received<CommandReceipt> | undefined> {
  return { ...operation, success: { status: 204 } };
}

const known: Operations = defaultProfile.operations;
const operations: Operations = {
  ...known,
  dispatchStaff: silent(known.dispatchStaff),
  dispatchStart: silent(known.dispatchStart),
  dispatchParkingImage: silent(known.dispatchParkingImage),
  dispatchCarImage: silent(known.dispatchCarImage),
  dispatchComplete: silent(known.dispatchComplete),
  recallStaff: silent(known.recallStaff),
  recallCarImage: silent(known.recallCarImage),
  recallComplete: silent(known.recallComplete),
  listProducts: paged(known.listProducts),
  listProductsOfFare: paged(known.listProductsOfFare),
  listRelatedCars: paged(known.listRelatedCars),
  setSaleStatus: { ...known.setSaleStatus, query: saleChoice, body: { kind: 'none' } },
  listCars: paged(known.listCars),
  listCarMemos: paged(known.listCarMemos),
  listSchedules: paged(known.listSchedules),
};

const errorBody = z.object({
  error: z.object({ errorCode: z.enum(platformCodes), display: z.string().optional() }),
});

/** G25: always 400, whatever the code. `Retry-After` is HTTP's own and stays. */
const errors: WireProfile['errors'] = {
  encode: (error) => ({
    ...defaultProfile.errors.encode(error),
    status: 400,
    body: { error: { errorCode: error.code, display: `the platform says ${error.code}` } },
  }),
  decode: (_status, body) => {
    const read = errorBody.safeParse(body);
    return read.success ? { code: read.data.error.errorCode, message: '' } : undefined;
  },
  shown: (_status, body) => errorBody.safeParse(body).data?.error.display,
};

/** G01: an update says when it happened (L13). */
const dated = sentObject({ changed_at: moment.exactOptional() }, { gap: 'G01', needs: [] });

function readDated(kind: 'registration' | 'update', body: unknown): Callback {
  const { changed_at: changedAt } = z.decode(dated, body as never);
  const { changed_at: _, ...rest } = body as Wire;
  return {
    kind,
    reservation: z.decode(snakeReservation, rest as never),
    ...(changedAt !== undefined && { changedAt }),
  };
}

const callbacks: WireProfile['callbacks'] = {
  paths: defaultProfile.callbacks.paths,
  decode: (kind, body) =>
    kind === 'registration' || kind === 'update'
      ? readDated(kind, body)
      : defaultProfile.callbacks.decode(kind, body),
  encode: (callback: Callback) =>
    'reservation' in callback
      ? {
          ...z.encode(snakeReservation, callback.reservation),
          ...(typeof callback.changedAt === 'number' && { changed_at: z.encode(moment, callback.changedAt) }),
        }
      : defaultProfile.callbacks.encode(callback),
};

export const contraryProfile: WireProfile = {
  ...defaultProfile,
  name: 'contrary',
  operations,
  errors,
  callbacks,
  behaviour: {
    ...defaultProfile.behaviour,
    bookingStatus: 'ok',
    pageSize: 2,
    emits: { ...defaultProfile.behaviour.emits, status: ['status'] },
    fromStates: { ...defaultProfile.behaviour.fromStates, 40: [5, 10, 15, 20] },
  },
  differs: ['G01', 'G12', 'G16', 'G17', 'G21', 'G25', 'G31', 'G38'],
};
