import type { Fleet } from '../../src/api/deps.js';
import type { CarWriteStart } from '../../src/contract/car-write.js';
import type { Role } from '../../src/contract/role.js';
import { type Catalogue, createCatalogue } from '../../src/platform/catalogue/catalogue.js';
import type { PlatformClient } from '../../src/platform/client/index.js';
import { type CallErrorCode, PlatformCallError } from '../../src/platform/errors.js';
import type { Car, CarMemo, CarSchedules, Product, RelatedCar } from '../../src/platform/model.js';
import type { KnownCarWrite } from '../../src/temporal/client/cars/types.js';

const noon = Date.UTC(2026, 10, 21, 3);

export function aProduct(productId: number, changes: Partial<Product> = {}): Product {
  return {
    productId,
    productName: `Product ${productId}`,
    manufacturerCd: 1,
    seatCount: 5,
    modelCd: 2,
    detailModelCd: 3,
    detailModelName: 'A Model',
    carTypeFuelCd: 4,
    fuelTypeName: 'electric',
    insuranceAge: 'O',
    licenseType: 'T',
    fareId: 7,
    modifierName: 'PERSONAL',
    modifiedAt: noon,
    productApproveStatus: 1,
    basicSectionFareInfo: {
      fareId: 7,
      fareName: 'weekday',
      baseFare: 1_000,
      maxFare: 90_000,
      weekday: { daily: 60_000, hourly: 5_000 },
      weekend: { daily: 80_000, hourly: 7_000 },
    },
    productCarOptionList: [{ optionId: 1, optionName: 'navigation', kmOption: '', selectedYn: 'Y' }],
    ...changes,
  };
}

export function aCar(carId: number, changes: Partial<Car> = {}): Car {
  return {
    carId,
    businessLicenseId: 11,
    businessName: 'A Rental Company',
    carNumber: `12가${carId}`,
    carTypeFuelCd: 4,
    fuelTypeName: 'electric',
    gradeCd: 1,
    gradeName: 'compact',
    carTypeName: 'sedan',
    modelYear: 2025,
    detailModelName: 'A Model',
    displacement: 0,
    seatCount: 5,
    vin: 'KMHXX00XXXX000001',
    colour: 'white',
    registrationDate: '2025-03-01',
    modifierName: 'PERSONAL',
    modifiedAt: noon,
    simNumber: '1',
    carOptionList: [],
    deviceEquipYn: 'Y',
    ...changes,
  };
}

export const aMemo = (memoId: number, carId: number): CarMemo => ({
  memoId,
  carId,
  content: 'PERSONAL',
  writerName: 'PERSONAL',
  createdAt: noon,
});

/** The fleet's paths over a platform in memory: its data, how it fails, and what it was asked. */
export class FakeFleet {
  readonly products = [aProduct(301), aProduct(302, { productApproveStatus: 0, fareId: 8 })];
  readonly related: RelatedCar[] = [
    { carId: 1001, carNumber: '12가1001', detailModelName: 'A Model', saleYn: 'Y' },
  ];
  readonly cars = [1001, 1002, 1003].map((carId) => aCar(carId));
  readonly memos: CarMemo[] = [];
  schedules: CarSchedules[] = [];
  readonly asked: string[] = [];
  /** The platform refuses calls by the client's method. */
  readonly failing = new Map<string, { code: CallErrorCode; retryAfterMs?: number }>();
  readonly roles: Role[] = ['channel', 'supplier'];
  readonly suspended = new Set<Role>();
  readonly refusals: string[] = [];
  readonly writes: CarWriteStart[] = [];
  onWrite: (start: CarWriteStart) => Promise<KnownCarWrite | { outcome: 'reused' }> = async ({ write }) =>
    write.kind === 'memo'
      ? { outcome: 'applied', memoId: 5 }
      : { outcome: 'applied', saleYn: write.saleYn, before: 'Y' };
  readonly known = new Map<string, KnownCarWrite>();
  now = noon;
  readonly catalogue: Catalogue;

  constructor({ freshMs = 60_000 }: { freshMs?: number } = {}) {
    this.catalogue = createCatalogue(this.client(), {
      roles: this.roles,
      gate: { isSuspended: async (role) => this.suspended.has(role) },
      refused: (role, code) => void this.refusals.push(`${role} ${code}`),
      zoneOffsetMinutes: 540,
      freshMs,
      clock: () => this.now,
    });
  }

  deps(): Fleet {
    return {
      roles: this.roles,
      catalogue: this.catalogue,
      carWrites: {
        write: async (start) => {
          this.writes.push(start);
          return this.onWrite(start);
        },
        find: async (commandId) => this.known.get(commandId),
      },
    };
  }

  private client(): PlatformClient {
    const answer = async <T>(
      name: string,
      about: unknown,
      as: Role | undefined,
      read: () => T | undefined,
    ) => {
      this.asked.push([name, JSON.stringify(about), as].join(' '));
      const { code, ...details } = this.failing.get(name) ?? {};
      if (code !== undefined)
        throw new PlatformCallError(code, `${name}: failed`, { operation: name, ...details });
      const found = read();
      if (found === undefined)
        throw new PlatformCallError('NOT_FOUND', `${name}: not there`, { operation: name });
      return found;
    };
    const client: Partial<PlatformClient> = {
      listProducts: (filter = {}, o = {}) =>
        answer('listProducts', filter, o.as, () =>
          this.products.filter(
            ({ productApproveStatus }) =>
              (filter.productApproveStatus ?? productApproveStatus) === productApproveStatus,
          ),
        ),
      listProductsOfFare: (fareId, o = {}) =>
        answer('listProductsOfFare', fareId, o.as, () =>
          this.products.filter((one) => one.fareId === fareId),
        ),
      getProduct: (id, o = {}) =>
        answer('getProduct', id, o.as, () => this.products.find(({ productId }) => productId === id)),
      listRelatedCars: (id, o = {}) =>
        answer('listRelatedCars', id, o.as, () => structuredClone(this.related)),
      listCars: (filter = {}, o = {}) => answer('listCars', filter, o.as, () => [...this.cars].reverse()),
      getCar: (id, o = {}) => answer('getCar', id, o.as, () => this.cars.find(({ carId }) => carId === id)),
      listCarMemos: (id, o = {}) => answer('listCarMemos', id, o.as, () => [...this.memos]),
      listSchedules: (filter, o = {}) => answer('listSchedules', filter, o.as, () => this.schedules),
    };
    return client as PlatformClient;
  }
}
