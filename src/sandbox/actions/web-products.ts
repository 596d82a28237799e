import type { FareInfo, Product } from '../../platform/model.js';
import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import type { ProductDetails } from '../store/schema.js';
import type { Executor } from '../store/store.js';
import {
  type CarRow,
  carsOfCompany,
  freshId,
  hasLiveReservation,
  insertProduct,
  lockProduct,
  type ProductRow,
  productWithFare,
  removeProduct,
  setProductCars,
  updateProduct,
} from '../store/web-site.js';
import { modelNamed } from './vehicle-lookup.js';

/** A fare plan that the company has already, by its id, or a new one. */
type FarePlanForm = { fareId: number } | Omit<FareInfo, 'fareId'>;

type Policies =
  | 'insuranceAge'
  | 'licenseType'
  | 'modifierName'
  | 'manufacturerCd'
  | 'modelCd'
  | 'detailModelCd'
  | 'productCarOptionList'
  | 'productCarCampOptionList';

/** What a person writes of a product on the web site. */
export interface ProductForm {
  productName: string;
  /** Cars of the company and of one model. */
  carIds: number[];
  farePlan: FarePlanForm;
  policies: Partial<Pick<Product, Policies>>;
}

/**
 * Creates a product that awaits approval (specification, Product approval).
 * @returns its id
 * @throws `Refusal` NOT_FOUND for an unknown company, car or fare plan, ILLEGAL_STATE for cars of several models
 */
export function createProduct(
  { db, clock }: Sandbox,
  companyId: number,
  { productName, carIds, farePlan, policies }: ProductForm,
): Promise<number> {
  return db.transaction(async (tx) => {
    const productId = await freshId(tx, companyId);
    if (productId === undefined) throw new Refusal('NOT_FOUND', `there is no company ${companyId}`);
    const of = { companyId, productId };
    const fare = await farePlanOf(tx, of, farePlan);
    const model = await modelOf(tx, companyId, carIds);
    const row = withFare({ ...of, productName, fareId: 0, ...unapprovedOf(model) }, fare);
    await insertProduct(tx, withPolicies(row, policies, clock.now()));
    await setProductCars(tx, productId, carIds);
    return productId;
  });
}

/**
 * Edits a product: what is given is replaced, the rest stays, and it awaits approval again. What is booked stays booked.
 * @throws `Refusal` as `createProduct`, and NOT_FOUND for the product
 */
export async function editProduct(
  { db, clock }: Sandbox,
  productId: number,
  { productName, carIds, farePlan, policies = {} }: Partial<ProductForm>,
): Promise<void> {
  await db.transaction(async (tx) => {
    let row = requireFound(await lockProduct(tx, productId), productId);
    if (productName !== undefined) row = { ...row, productName };
    if (carIds) {
      row = withModel(row, await modelOf(tx, row.companyId, carIds));
      await setProductCars(tx, productId, carIds);
    }
    if (farePlan) row = withFare(row, await farePlanOf(tx, row, farePlan));
    await updateProduct(tx, { ...withPolicies(row, policies, clock.now()), approveStatus: 0 });
  });
}

/** The service administrator approves: from now on customers can reserve it. Approving twice changes nothing. */
export async function approveProduct({ db }: Sandbox, productId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const row = requireFound(await lockProduct(tx, productId), productId);
    await updateProduct(tx, { ...row, approveStatus: 1 });
  });
}

/** @throws `Refusal` NOT_FOUND, ILLEGAL_STATE while a reservation of it is not over */
export async function deleteProduct({ db }: Sandbox, productId: number): Promise<void> {
  await db.transaction(async (tx) => {
    requireFound(await lockProduct(tx, productId), productId);
    if (await hasLiveReservation(tx, { productId }))
      throw new Refusal('ILLEGAL_STATE', 'a reservation of this product is not over');
    await removeProduct(tx, productId);
  });
}

function requireFound(product: ProductRow | undefined, productId: number): ProductRow {
  if (!product) throw new Refusal('NOT_FOUND', `there is no product ${productId}`);
  return product;
}

/** One product holds cars of one model (specification, What the service does): the first of them shows which. */
async function modelOf(tx: Executor, companyId: number, carIds: number[]): Promise<CarRow> {
  const rows = await carsOfCompany(tx, companyId, carIds);
  const missing = carIds.find((carId) => !rows.some((row) => row.carId === carId));
  const [first] = rows;
  if (missing !== undefined || !first)
    throw new Refusal('NOT_FOUND', `company ${companyId} has no car ${missing}`);
  const other = rows.find(({ detailModelName }) => detailModelName !== first.detailModelName);
  if (other)
    throw new Refusal('ILLEGAL_STATE', `carIds: car ${other.carId} is of another model than ${first.carId}`);
  return first;
}

/** A known fare plan is copied from another product that has it; a new one gets an id of its own. */
async function farePlanOf(
  tx: Executor,
  { companyId, productId }: Pick<ProductRow, 'companyId' | 'productId'>,
  form: FarePlanForm,
): Promise<FareInfo> {
  if ('fareId' in form) {
    const known = await productWithFare(tx, companyId, form.fareId, productId);
    if (!known) throw new Refusal('NOT_FOUND', `company ${companyId} has no other fare plan ${form.fareId}`);
    return known.details.basicSectionFareInfo;
  }
  const fareId = await freshId(tx, companyId);
  if (fareId === undefined) throw new Refusal('NOT_FOUND', `there is no company ${companyId}`);
  return { fareId, ...form };
}

function unapprovedOf({ detailModelName, carTypeFuelCd, details: car }: CarRow) {
  const model = modelNamed(detailModelName);
  const details: Omit<ProductDetails, 'basicSectionFareInfo'> = {
    manufacturerCd: model?.manufacturerCd ?? 0,
    modelCd: model?.modelCd ?? 0,
    detailModelCd: model?.detailModelCd ?? 0,
    seatCount: car.seatCount,
    fuelTypeName: car.fuelTypeName,
    insuranceAge: 'O',
    licenseType: car.seatCount > 8 ? 'O' : 'T',
    modifierName: '웹사이트',
    modifiedAt: 0,
    productCarOptionList: [],
  };
  return { detailModelName, carTypeFuelCd, approveStatus: 0 as const, details };
}

function withModel(row: ProductRow, car: CarRow): ProductRow {
  const { detailModelName, carTypeFuelCd, details } = unapprovedOf(car);
  const { manufacturerCd, modelCd, detailModelCd, seatCount, fuelTypeName } = details;
  const shared = { manufacturerCd, modelCd, detailModelCd, seatCount, fuelTypeName };
  return { ...row, detailModelName, carTypeFuelCd, details: { ...row.details, ...shared } };
}

function withFare(
  row: Omit<ProductRow, 'details'> & { details: Omit<ProductDetails, 'basicSectionFareInfo'> },
  basicSectionFareInfo: FareInfo,
): ProductRow {
  const { fareId } = basicSectionFareInfo;
  return { ...row, fareId, details: { ...row.details, basicSectionFareInfo } };
}

function withPolicies(row: ProductRow, policies: ProductForm['policies'], modifiedAt: number): ProductRow {
  return { ...row, details: { ...row.details, ...policies, modifiedAt } };
}
