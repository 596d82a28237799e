import type { RoleGate } from '../alerts/role-gate.js';
import type { Role } from '../contract/role.js';
import { stamp } from '../lifecycle/time.js';
import type { CallOptions, PlatformClient } from '../platform/client/index.js';
import { PlatformCallError } from '../platform/errors.js';
import type { Car, CarMemo, Product, RelatedCar, Schedule } from '../platform/model.js';
import type { CarFilter, ProductFilter } from '../platform/profile.js';
import { type Read, ReadCache } from './cache.js';
import { CatalogueError } from './error.js';

/** Products, cars and what belongs to them, as the platform has them: each answer with its age (F24). */
export interface Catalogue {
  /** In ascending id, as every list here. */
  products(as: Role, filter: ProductFilter): Promise<Read<Product[]>>;
  productsOfFare(as: Role, fareId: number): Promise<Read<Product[]>>;
  product(as: Role, productId: number): Promise<Read<Product>>;
  relatedCars(as: Role, productId: number): Promise<Read<RelatedCar[]>>;
  cars(as: Role, filter: CarFilter): Promise<Read<Car[]>>;
  car(as: Role, carId: number): Promise<Read<Car>>;
  /** The rental company's, as the schedule. */
  memos(carId: number): Promise<Read<CarMemo[]>>;
  /** Of the day that it is in the service's zone. */
  scheduleOfToday(car: Pick<Car, 'carId' | 'carNumber'>): Promise<Read<Schedule[]>>;
  /** Whatever Handover can change is read anew: sale statuses, memos, schedules. */
  forgetWritten(): void;
}

export interface CatalogueOptions {
  /** Those that have a key. */
  roles: readonly Role[];
  gate: Pick<RoleGate, 'isSuspended'>;
  /** Told of a key that the platform refuses (L30). */
  refused(role: Role, code: string): void;
  zoneOffsetMinutes: number;
  /** How old an answer may be, in milliseconds; 0: every question goes to the platform. */
  freshMs: number;
  clock?: () => number;
}

/** Ten fleets of a thousand cars, or two lists of ten thousand: some 40 MB. */
const mostObjects = 20_000;
const staleMs = 15 * 60_000;
const keyWaitMs = 30_000;
const shortestPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;
const writable: readonly string[] = ['relatedCars', 'memos', 'schedule'];

/**
 * Reads the platform through a cache of this process. Nothing is sent under a key that the platform refuses, nor while it
 * asks to wait. Every read throws `CatalogueError`.
 */
export function createCatalogue(platform: PlatformClient, options: CatalogueOptions): Catalogue {
  const { freshMs, zoneOffsetMinutes, clock: now = Date.now } = options;
  const cache = new ReadCache({ freshMs, staleMs, mostObjects, now });
  const ask = asker(options, now);

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
    return cache.read(JSON.stringify([kind, as, about]), () => ask(as, call), weigh);
  }

  function list<T>(
    kind: string,
    as: Role,
    about: unknown,
    call: (o: CallOptions) => Promise<T[]>,
    id: (item: T) => number,
  ): Promise<Read<T[]>> {
    const sorted = async (o: CallOptions) => (await call(o)).sort((a, b) => id(a) - id(b));
    return one(kind, as, about, sorted, (items) => items.length + 1);
  }

  const productId = (product: Product) => product.productId;
  const carId = (car: { carId: number }) => car.carId;
  return {
    products: (as, filter) =>
      list('products', as, fixed(filter), (o) => platform.listProducts(filter, o), productId),
    productsOfFare: (as, fareId) =>
      list('fare', as, fareId, (o) => platform.listProductsOfFare(fareId, o), productId),
    product: (as, id) => one('product', as, id, (o) => platform.getProduct(id, o)),
    relatedCars: (as, id) => list('relatedCars', as, id, (o) => platform.listRelatedCars(id, o), carId),
    cars: (as, filter) => list('cars', as, fixed(filter), (o) => platform.listCars(filter, o), carId),
    car: (as, id) => one('car', as, id, (o) => platform.getCar(id, o)),
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
        const filter = { startDate: today, endDate: today, carNumber };
        const groups = await platform.listSchedules(filter, o);
        return groups.flatMap((group) => (group.carId === id ? group.schedules : []));
      };
      return list('schedule', 'supplier', [id, today], read, ({ startAt }) => startAt);
    },
    forgetWritten: () => cache.forget((key) => writable.includes(JSON.parse(key)[0])),
  };
}

/** Equal filters have equal keys. */
function fixed(filter: object): unknown {
  return Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
}

function asker({ gate, refused }: CatalogueOptions, now: () => number) {
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

function pauseOf(asked = 0): number {
  return Math.min(Math.max(asked, shortestPauseMs), longestPauseMs);
}
