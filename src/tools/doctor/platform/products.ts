import type * as m from '../../../platform/model.js';
import { knows } from '../../../platform/needed.js';
import { createCheck, type Finding, type GapId } from '../finding.js';
import type { Platform } from './ask.js';
import { checkFilter, discardFindings } from './filters.js';
import { firstQuery } from './keys.js';
import { checkList, checkObject, type May, type Read } from './lists.js';
import type { Misfit } from './misfits.js';
import { codeOf, isSuccess, judgeRefusal } from './refusals.js';

const product: Pick<Read, 'shows' | 'gapOf' | 'needs'> = {
  shows: ['G03', 'G04', 'G05'],
  gapOf: gapOfProduct,
  needs: ['productId', 'productApproveStatus'],
};
const relatedCar: Pick<Read, 'shows' | 'gapOf' | 'needs'> = {
  shows: ['G10'],
  gapOf: () => 'G10',
  needs: ['carId', 'saleYn'],
};
const byName = { gap: 'G22', name: 'productName', id: ({ productId }: m.Product) => productId } as const;
/** An id that no platform has: the answer shows how it refuses. */
const unusedId = 2_147_483_647;

/** Products, those of a fare, and their cars. */
export async function* checkProducts(platform: Platform, may: May): AsyncGenerator<Finding> {
  const list = may('listProducts', 'GET /product');
  if (list === undefined) return;
  const read = { ...list, ...product, query: firstQuery(list.role) };
  const all = yield* checkList<m.Product>(platform, read);
  yield* checkApprovedOnly(platform, read);
  yield* checkFilter(platform, read, byName, all);
  const one = may('getProduct', 'GET /product/{id}');
  const first = all.find((product) => knows(product, 'productId'));
  if (one !== undefined && first !== undefined)
    yield* checkObject(platform, { ...one, ...product, params: { id: first.productId } });
  if (one !== undefined) yield* checkUnknownProduct(platform, one.key);
  const ofFare = may('listProductsOfFare', 'GET /product/fareId/{fareId}');
  if (ofFare !== undefined && first !== undefined && knows(first, 'fareId'))
    yield* checkList(platform, { ...ofFare, ...product, params: { fareId: first.fareId } });
  const related = may('listRelatedCars', 'GET /product/{id}/relatedCar');
  if (related !== undefined && first !== undefined)
    yield* checkList(platform, { ...related, ...relatedCar, params: { id: first.productId } });
}

/** Decides by the names of the fields; another profile may have renamed them. */
function gapOfProduct({ path }: Misfit): GapId {
  const name = String(path.find((part) => typeof part === 'string') ?? '');
  const inside = path.filter((part) => typeof part === 'string').length > 1;
  if (/option/i.test(name)) return 'G05';
  return /fare/i.test(name) && (inside || !/id$/i.test(name)) ? 'G04' : 'G03';
}

/** Specification, Endpoints: GET /product with productApproveStatus. */
async function* checkApprovedOnly(
  platform: Platform,
  { key, title, ...read }: Read & { key: string },
): AsyncGenerator<Finding> {
  const check = createCheck('wire profile', `${title}?productApproveStatus=1`);
  const rest = checkList<m.Product>(platform, { ...read, key, title, query: { productApproveStatus: 1 } });
  const items = await discardFindings(rest);
  if (items.length === 0) return;
  if (items.some(({ productApproveStatus }) => productApproveStatus !== 1))
    yield check.fail('products come that are not approved: the filter is not heeded', {
      todo: 'ask the platform; until then a channel would show products that cannot be booked',
    });
  else yield check.ok(`${items.length}, all approved`);
}

/** G25: how the platform refuses an id that does not exist. */
async function* checkUnknownProduct(platform: Platform, key: string): AsyncGenerator<Finding> {
  const check = createCheck('wire profile', 'a product that is not there', { gaps: ['G25'] });
  const received = await platform.read('getProduct', { key, params: { id: unusedId } });
  if (received.cut !== undefined) return void (yield check.warn(`no whole answer (${received.cut})`));
  if (isSuccess(received))
    return void (yield check.fail(`HTTP ${received.status}: it is answered as if it were there`, {
      todo: 'add to the wire profile how the platform reports that something is absent',
    }));
  const { result, text } = judgeRefusal(platform.profile, received, 'NOT_FOUND');
  const todo = `add its refusals to the wire profile; Handover reads this one as ${codeOf(platform.profile, received)}`;
  yield check[result](text, result === 'ok' ? {} : { todo });
}
