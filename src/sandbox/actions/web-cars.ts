import type { Car } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import { detailsOf } from '../fleet/rows.js';
import type { CarDetails } from '../store/schema.js';
import { type Executor, sqlState } from '../store/store.js';
import {
  type CarRow,
  freshId,
  hasLiveReservation,
  hasScheduleAfter,
  insertCar,
  lockCar,
  productsWithCar,
  removeCar,
  updateCar,
} from '../store/web-site.js';
import { lookUpVehicle } from './vehicle-lookup.js';

/** What a person writes of a car on the web site. */
export type CarForm = Partial<Omit<Car, 'carId' | 'businessLicenseId' | 'businessName' | 'modifiedAt'>>;

/**
 * Registers a car. Car number and company are enough: the rest comes from the vehicle-information service.
 * @returns its id
 * @throws `Refusal` NOT_FOUND for an unknown company, ILLEGAL_STATE for a car number that is taken
 */
export async function registerCar(
  { db, clock }: Sandbox,
  { businessLicenseId, carNumber, ...form }: CarForm & { businessLicenseId: number; carNumber: string },
): Promise<number> {
  const made = db.transaction(async (tx) => {
    const carId = await freshId(tx, businessLicenseId);
    if (carId === undefined) throw new Refusal('NOT_FOUND', `there is no company ${businessLicenseId}`);
    const defaults = defaultsOf({ carId, companyId: businessLicenseId, carNumber });
    await insertCar(tx, applyForm(defaults, form, clock.now()));
    return carId;
  });
  return refuseTakenNumber(made);
}

/**
 * Edits a car: what is given is replaced, the rest stays.
 * @throws `Refusal` NOT_FOUND, ILLEGAL_STATE for a car number that is taken, or a change that what
 *   uses the car forbids
 */
export async function editCar({ db, clock }: Sandbox, carId: number, form: CarForm): Promise<void> {
  const done = db.transaction(async (tx) => {
    const before = requireFound(await lockCar(tx, carId), carId);
    const after = applyForm(before, form, clock.now());
    if (after.carNumber !== before.carNumber && (await hasLiveReservation(tx, { carId })))
      throw new Refusal('ILLEGAL_STATE', 'carNumber: a reservation that is not over has this car');
    if (after.detailModelName !== before.detailModelName) await assertInNoProduct(tx, carId);
    await updateCar(tx, after);
  });
  await refuseTakenNumber(done);
}

/** @throws `Refusal` NOT_FOUND, ILLEGAL_STATE while a product, a reservation or a schedule has the car */
export async function deleteCar({ db, clock }: Sandbox, carId: number): Promise<void> {
  await db.transaction(async (tx) => {
    requireFound(await lockCar(tx, carId), carId);
    await assertInNoProduct(tx, carId);
    if (await hasLiveReservation(tx, { carId }))
      throw new Refusal('ILLEGAL_STATE', 'a reservation that is not over has this car');
    if (await hasScheduleAfter(tx, carId, clock.now()))
      throw new Refusal('ILLEGAL_STATE', 'a schedule of this car has not ended: delete it first');
    await removeCar(tx, carId);
  });
}

async function assertInNoProduct(tx: Executor, carId: number): Promise<void> {
  const products = await productsWithCar(tx, carId);
  if (products.length === 0) return;
  throw new Refusal('ILLEGAL_STATE', `product ${products.join(', ')} holds this car: take it out first`);
}

function requireFound(car: CarRow | undefined, carId: number): CarRow {
  if (!car) throw new Refusal('NOT_FOUND', `there is no car ${carId}`);
  return car;
}

function defaultsOf(car: Pick<CarRow, 'carId' | 'companyId' | 'carNumber'>): CarRow {
  const vehicle = lookUpVehicle(car.carNumber);
  const { detailModelName, carTypeFuelCd } = vehicle;
  const details: CarDetails = {
    ...detailsOf(car.carId, vehicle),
    modifierName: '웹사이트',
    modifiedAt: 0,
    simNumber: '',
    carOptionList: [],
  };
  return { ...car, detailModelName, carTypeFuelCd, deviceEquipYn: 'N', details };
}

function applyForm(car: CarRow, form: CarForm, modifiedAt: number): CarRow {
  const {
    carNumber = car.carNumber,
    detailModelName = car.detailModelName,
    carTypeFuelCd = car.carTypeFuelCd,
    deviceEquipYn = car.deviceEquipYn,
    ...details
  } = form;
  return {
    ...car,
    carNumber,
    detailModelName,
    carTypeFuelCd,
    deviceEquipYn,
    details: { ...car.details, ...details, modifiedAt },
  };
}

async function refuseTakenNumber<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (sqlState(error) === '23505')
      throw new Refusal('ILLEGAL_STATE', 'carNumber: another car has this number');
    throw error;
  }
}
