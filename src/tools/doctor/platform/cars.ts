import type * as m from '../../../platform/model.js';
import { knows } from '../../../platform/needed.js';
import { createCheck, type Finding } from '../finding.js';
import type { Platform } from './ask.js';
import { checkFilter } from './filters.js';
import { checkList, checkObject, type May, type Read } from './lists.js';

const car: Pick<Read, 'shows' | 'gapOf' | 'needs'> = {
  shows: ['G06'],
  gapOf: () => 'G06',
  needs: ['carId', 'carNumber'],
};
const memo: Pick<Read, 'shows' | 'gapOf' | 'needs'> = {
  shows: ['G07'],
  gapOf: () => 'G07',
  needs: ['memoId', 'content'],
};
const byNumber = { gap: 'G23', name: 'carNumber', id: ({ carId }: m.Car) => carId } as const;

/** Cars and the memos of one, without the text of a memo. */
export async function* checkCars(platform: Platform, may: May): AsyncGenerator<Finding> {
  const list = may('listCars', 'GET /car');
  if (list === undefined) return;
  const all = yield* checkList<m.Car>(platform, { ...list, ...car });
  yield* checkCompany(list.role, all);
  yield* checkFilter(platform, { ...list, ...car }, byNumber, all);
  const first = all.find((one) => knows(one, 'carId'));
  if (first === undefined) return;
  const params = { id: first.carId };
  const one = may('getCar', 'GET /car/{id}');
  if (one !== undefined) yield* checkObject(platform, { ...one, ...car, params });
  const memos = may('listCarMemos', 'GET /car/{id}/memo');
  if (memos !== undefined) yield* checkList(platform, { ...memos, ...memo, params });
}

/** G27. */
function* checkCompany(role: m.Role, cars: readonly m.Car[]): Generator<Finding> {
  if (role !== 'supplier' || cars.length === 0) return;
  const companies = new Set(cars.map(({ businessLicenseId }) => businessLicenseId));
  const check = createCheck('platform', 'company of the supplier key', { gaps: ['G27'] });
  if (companies.size === 1) yield check.ok(`its cars are of one company, ${[...companies][0]}`);
  else yield check.warn(`its cars are of ${companies.size} companies: the key is not bound to one`);
}
