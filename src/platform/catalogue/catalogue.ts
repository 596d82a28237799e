import type { Role } from '../../contract/role.js';
import { stamp } from '../../domain/shared/time.js';
import type { CallOptions, PlatformClient } from '../client/index.js';
import { PlatformCallError } from '../errors.js';
import type { Car, CarMemo, Product, Received, RelatedCar, Schedule } from '../model.js';
import { type Known, knows, needed } from '../needed.js';
import type { CarFilter, ProductFilter } from '../profile.js';
import { type Read, ReadCache } from './cache.js';
import { CatalogueError } from './error.js';

/** Items with an id. `unreadable` counts the items that are left out because their id cannot be read. */
interface Listed<T> {
  items: T[];
  unreadable: number;
}
export type KnownProduct = Known<Received<Product>, 'productId'>;
export type KnownCar = Known<Received<Car>, 'carId'>;

/**
 * The platform's products, cars, memos and schedules, each answer with its age (F24). A field that cannot be read is
 * null.
 */
export interface Catalogue {
  /** Every list is in ascending order of its ids. */
  products(as: Role, filter: ProductFilter): Promise<Read<Listed<KnownProduct>>>;
  productsOfFare(as: Role, fareId: number): Promise<Read<Listed<KnownProduct>>>;
  product(as: Role, productId: number): Promise<Read<KnownProduct>>;
  /** Cars whose id cannot be read come last. */
  relatedCars(as: Role, productId: number): Promise<Read<Received<RelatedCar>[]>>;
  cars(as: Role, filter: CarFilter): Promise<Read<Listed<KnownCar>>>;
  car(as: Role, carId: number): Promise<Read<KnownCar>>;
  /** Only the rental company (supplier role) may read memos and schedules. */
  memos(carId: number): Promise<Read<Received<CarMemo>[]>>;
  /** Entries of the current day in the service's zone. */
  scheduleOfToday(car: Pick<KnownCar, 'carId' | 'carNumber'>): Promise<Read<Received<Schedule>[]>>;
  /** Drops stored sale statuses, memos and schedules: Handover has changed one of them. */
  forgetWritten(): void;
}

export interface CatalogueOptions {
  /** Roles that have a key. */
  roles: readonly Role[];
  gate: { isSuspended(role: Role): Promise<boolean> };
  /** Called when the platform refuses the role's key (L30). */
  refused(role: Role, code: string): void;
  zoneOffsetMinutes: number;
  /** Largest age of an answer in milliseconds, by default one minute. 0: every read goes to the platform. */
  freshMs?: number;
  clock?: () => number;
}

/** Ten fleets of a thousand cars, or two lists of ten thousand: about 40 MB. */
const mostObjects = 20_000;
const usuallyFreshMs = 60_000;
const staleMs = 15 * 60_000;
const keyWaitMs = 30_000;
const shortestPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;
const writable: readonly string[] = ['relatedCars', 'memos', 'schedule'];

/**
 * Reads the platform through a cache of this process. No request is sent with a key that the platform refuses, nor
 * before the end of a `Retry-After`. A read that fails throws `CatalogueError`.
 */
export function createCatalogue(platform: PlatformClient, options: CatalogueOptions): Catalogue {
  const { freshMs = usuallyFreshMs, zoneOffsetMinutes, clock: now = Date.now } = options;
  const cache = new ReadCache({ freshMs, staleMs, mostObjects, now });
  const read = createReader(options, now);

  async function one<T>(
    kind: string,
    as: Role,
    about: unknown,
    call: (o: CallOptions) => Promise<T>,
    weigh?: (value: T) => number,
  ): Promise<Read<T>> {
    if (!options.roles.includes(as)) {
      throw new CatalogueError('ROLE_OFF', `the deployment has no key for the ${as} role`);
    }
    return cache.read(JSON.stringify([kind, as, about]), () => read(as, call), weigh);
  }

  function list<T>(
    kind: string,
    as: Role,
    about: unknown,
    call: (o: CallOptions) => Promise<T[]>,
    id: (item: T) => number | null,
  ): Promise<Read<T[]>> {
    const sorted = async (o: CallOptions) => (await call(o)).sort((a, b) => compareKeys(id(a), id(b)));
    return one(kind, as, about, sorted, (items) => items.length + 1);
  }

  /** A list that the API serves in pages: its cursor is the id of an item, so items without an id are left out. */
  function listed<T extends object, K extends keyof T & string>(
    kind: string,
    as: Role,
    about: unknown,
    call: (o: CallOptions) => Promise<T[]>,
    id: K,
  ): Promise<Read<Listed<Known<T, K>>>> {
    const known = async (o: CallOptions) => {
      const all = await call(o);
      const items = all.filter((item): item is Known<T, K> => knows(item, id));
      items.sort((a, b) => compareKeys(a[id], b[id]));
      return { items, unreadable: all.length - items.length };
    };
    return one(kind, as, about, known, ({ items }) => items.length + 1);
  }

  return {
    products: (as, filter) =>
      listed('products', as, keyOf(filter), (o) => platform.listProducts(filter, o), 'productId'),
    productsOfFare: (as, fareId) =>
      listed('fare', as, fareId, (o) => platform.listProductsOfFare(fareId, o), 'productId'),
    product: (as, id) =>
      one('product', as, id, async (o) => {
        const product = await platform.getProduct(id, o);
        return { ...product, productId: product.productId ?? id };
      }),
    relatedCars: (as, id) =>
      list(
        'relatedCars',
        as,
        id,
        (o) => platform.listRelatedCars(id, o),
        ({ carId }) => carId,
      ),
    cars: (as, filter) => listed('cars', as, keyOf(filter), (o) => platform.listCars(filter, o), 'carId'),
    car: (as, id) =>
      one('car', as, id, async (o) => {
        const car = await platform.getCar(id, o);
        return { ...car, carId: car.carId ?? id };
      }),
    memos: (id) =>
      list(
        'memos',
        'supplier',
        id,
        (o) => platform.listCarMemos(id, o),
        (memo) => memo.memoId,
      ),
    scheduleOfToday: ({ carId: id, carNumber }) => {
      const today = stamp(now(), zoneOffsetMinutes).slice(0, 'yyyy-MM-dd'.length);
      const read = async (o: CallOptions) => {
        const filter = { startDate: today, endDate: today, ...(carNumber !== null && { carNumber }) };
        const groups = await platform.listSchedules(filter, o);
        // a group whose car cannot be read may belong to this car: fail instead of leaving it out
        return groups.flatMap((group) => {
          const { carId } = needed('listSchedules', group, 'carId');
          return carId === id ? needed('listSchedules', group, 'schedules').schedules : [];
        });
      };
      return list('schedule', 'supplier', [id, today], read, ({ startAt }) => startAt);
    },
    forgetWritten: () => cache.forget((key) => writable.includes(JSON.parse(key)[0])),
  };
}

/** Items whose id or start cannot be read come last. */
function compareKeys(a: unknown, b: unknown): number {
  const place = (by: unknown) => (typeof by === 'number' ? by : Number.MAX_SAFE_INTEGER);
  return place(a) - place(b);
}

/** The same key for equal filters, in any order of their fields. */
function keyOf(filter: object): unknown {
  return Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
}

function createReader({ gate, refused }: CatalogueOptions, now: () => number) {
  const pausedUntil = new Map<Role, number>();
  return async <T>(as: Role, call: (o: CallOptions) => Promise<T>): Promise<T> => {
    const pause = (pausedUntil.get(as) ?? 0) - now();
    if (pause > 0) throw new CatalogueError('RATE_LIMITED', 'the platform asked to wait', pause);
    if (await gate.isSuspended(as)) {
      throw new CatalogueError('ROLE_SUSPENDED', `the platform refuses the ${as} key`, keyWaitMs);
    }
    try {
      return await call({ as });
    } catch (error) {
      if (!(error instanceof PlatformCallError)) throw error;
      const { code, message, details } = error;
      if (code === 'UNAUTHORIZED' || code === 'FORBIDDEN') refused(as, code);
      const wait = code === 'RATE_LIMITED' ? pauseOf(details.retryAfterMs) : undefined;
      if (wait !== undefined) pausedUntil.set(as, now() + wait);
      throw new CatalogueError(code, message, wait);
    }
  };
}

function pauseOf(requestedMs = 0): number {
  return Math.min(Math.max(requestedMs, shortestPauseMs), longestPauseMs);
}
