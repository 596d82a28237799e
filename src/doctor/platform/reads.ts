import type * as m from '../../platform/model.js';
import type { Operations } from '../../platform/profile.js';
import { checking, type Finding, type GapId } from '../finding.js';
import type { Platform, ReadName } from './ask.js';
import { firstQuery, type Keys } from './keys.js';
import { checkList, checkObject, type Read } from './lists.js';
import type { Misfit } from './misfits.js';
import { codeOf, isSuccess, judgeRefusal } from './refusals.js';
import { week } from './week.js';

const product: Pick<Read, 'shows' | 'gapOf'> = { shows: ['G03', 'G04', 'G05'], gapOf: gapOfProduct };
const car: Pick<Read, 'shows' | 'gapOf'> = { shows: ['G06'], gapOf: () => 'G06' };
/** An id that no platform has: what it says of it tells how it refuses. */
const nobody = 2_147_483_647;

/** Every read of the specification, as far as the keys reach, against the wire profile. */
export async function* checkReads(platform: Platform, keys: Keys): AsyncGenerator<Finding> {
  const { operations, behaviour } = platform.profile;
  const asking = (name: ReadName) => {
    const role = (['supplier', 'channel'] as const).find(
      (one) => keys[one] !== undefined && (operations[name] as Operations['getCar']).roles.includes(one),
    );
    return role === undefined ? undefined : { role, key: keys[role] as string };
  };
  const may = (name: ReadName, title: string) => {
    const found = asking(name);
    return found === undefined ? undefined : { name, title, ...found };
  };

  const products = may('listProducts', 'GET /product');
  const [first] =
    products === undefined
      ? []
      : yield* checkList<m.Product>(platform, { ...products, ...product, query: firstQuery(products.role) });
  if (products !== undefined) yield* approved(platform, { ...products, ...product });
  const one = may('getProduct', 'GET /product/{id}');
  if (one !== undefined) {
    if (first !== undefined)
      yield* checkObject(platform, { ...one, ...product, params: { id: first.productId } });
    yield* unknownProduct(platform, one.key);
  }
  const ofFare = may('listProductsOfFare', 'GET /product/fareId/{fareId}');
  if (ofFare !== undefined && first !== undefined)
    yield* checkList(platform, { ...ofFare, ...product, params: { fareId: first.fareId } });
  const related = may('listRelatedCars', 'GET /product/{id}/relatedCar');
  if (related !== undefined && first !== undefined)
    yield* checkList(platform, {
      ...{ ...related, shows: ['G10'] as const, gapOf: () => 'G10' as const },
      params: { id: first.productId },
    });

  const cars = may('listCars', 'GET /car');
  const found = cars === undefined ? [] : yield* checkList<m.Car>(platform, { ...cars, ...car });
  if (cars !== undefined) yield* ofOneCompany(cars.role, found);
  if (cars !== undefined) yield* filtered(platform, { ...cars, ...car }, found);
  const [firstCar] = found;
  const oneCar = may('getCar', 'GET /car/{id}');
  if (oneCar !== undefined && firstCar !== undefined)
    yield* checkObject(platform, { ...oneCar, ...car, params: { id: firstCar.carId } });
  const memos = may('listCarMemos', 'GET /car/{id}/memo');
  if (memos !== undefined && firstCar !== undefined)
    yield* checkList(platform, {
      ...{ ...memos, shows: ['G07'] as const, gapOf: () => 'G07' as const },
      params: { id: firstCar.carId },
    });

  const schedules = may('listSchedules', 'GET /schedule');
  if (schedules === undefined) return;
  const period = week(platform.profile);
  const groups = yield* checkList<m.CarSchedules>(platform, {
    ...{ ...schedules, query: { ...period }, shows: ['G08', 'G09', 'G18', 'G19'] as const },
    ...{ gapOf: gapOfSchedule, refusalShows: ['G18'] as const },
  });
  const entries = groups.flatMap(({ schedules }) => schedules);
  yield* reservationEntries(entries, behaviour.reservationScheduleReason);
  const external = entries.find(({ scheduleType }) => scheduleType === 'S');
  const detail = may('getSchedule', 'GET /schedule/{id}');
  if (detail === undefined) return;
  if (external === undefined)
    yield checking('wire profile', detail.title).skip('no external schedule (S) in the week to come to read');
  else
    yield* checkObject(platform, {
      ...{ ...detail, shows: ['G08'] as const, gapOf: () => 'G08' as const },
      params: { id: external.scheduleId },
    });
}

/** By the names of its places, which a profile of one's own may have renamed. */
function gapOfProduct({ path }: Misfit): GapId {
  const name = String(path.find((part) => typeof part === 'string') ?? '');
  const inside = path.filter((part) => typeof part === 'string').length > 1;
  if (/option/i.test(name)) return 'G05';
  return /fare/i.test(name) && (inside || !/id$/i.test(name)) ? 'G04' : 'G03';
}

/** Entries stand inside their car's group. */
function gapOfSchedule({ path }: Misfit): GapId {
  const names = path.filter((part): part is string => typeof part === 'string');
  const last = names.at(-1) ?? '';
  if (names.length < 2) return 'G09';
  return /date|time/i.test(last) ? 'G19' : 'G08';
}

/** Specification, Endpoints: GET /product with productApproveStatus. */
async function* approved(
  platform: Platform,
  { key, title, ...read }: Read & { key: string },
): AsyncGenerator<Finding> {
  const check = checking('wire profile', `${title}?productApproveStatus=1`);
  const rest = checkList<m.Product>(platform, { ...read, key, title, query: { productApproveStatus: 1 } });
  const items = await quietly(rest);
  if (items.length === 0) return;
  if (items.some(({ productApproveStatus }) => productApproveStatus !== 1))
    yield check.fail('products come that are not approved: the filter is not heeded', {
      todo: 'ask the platform; until then a channel would show what nobody can book',
    });
  else yield check.ok(`${items.length}, all approved`);
}

/** G23: one filter that tells its cars apart. */
async function* filtered(
  platform: Platform,
  { title, ...read }: Read,
  all: readonly m.Car[],
): AsyncGenerator<Finding> {
  const [first] = all;
  if (first === undefined || all.every(({ carNumber }) => carNumber === first.carNumber)) return;
  const check = checking('wire profile', `${title}?carNumber=`, { gaps: ['G23'] });
  const items = await quietly(
    checkList<m.Car>(platform, { ...read, title, query: { carNumber: first.carNumber } }),
  );
  const isThere = items.some(({ carId }) => carId === first.carId);
  if (isThere && items.length < all.length) yield check.ok('finds the car');
  else yield check.warn(isThere ? 'the filter is not heeded' : 'the car is not found by its number');
}

/** G27. */
function* ofOneCompany(role: m.Role, cars: readonly m.Car[]): Generator<Finding> {
  if (role !== 'supplier' || cars.length === 0) return;
  const companies = new Set(cars.map(({ businessLicenseId }) => businessLicenseId));
  const check = checking('platform', 'company of the supplier key', { gaps: ['G27'] });
  if (companies.size === 1) yield check.ok(`its cars are of one company, ${[...companies][0]}`);
  else yield check.warn(`its cars are of ${companies.size} companies: the key is not bound to one`);
}

/** G08: how an R entry says that it is one. */
function* reservationEntries(entries: readonly m.Schedule[], reason: string): Generator<Finding> {
  const ofReservations = entries.filter(({ scheduleType }) => scheduleType === 'R');
  const other = ofReservations.filter((entry) => entry.reason !== reason).length;
  if (other > 0)
    yield checking('wire profile', 'R schedules').warn(
      `${other} of ${ofReservations.length} carry another reason than ${JSON.stringify(reason)}`,
      { gaps: ['G08'] },
    );
}

/** G25: of what does not exist. */
async function* unknownProduct(platform: Platform, key: string): AsyncGenerator<Finding> {
  const check = checking('wire profile', 'a product that is not there', { gaps: ['G25'] });
  const said = await platform.ask('getProduct', { key, params: { id: nobody } });
  if (said.cut !== undefined) return void (yield check.warn(`no whole answer (${said.cut})`));
  if (isSuccess(said))
    return void (yield check.fail(`HTTP ${said.status}: it is answered as if it were there`, {
      todo: 'teach the wire profile how the platform says that something is not there',
    }));
  const { result, says } = judgeRefusal(platform.profile, said, 'NOT_FOUND');
  const todo = `teach the wire profile its refusals; Handover takes this one for ${codeOf(platform.profile, said)}`;
  yield check[result](says, result === 'ok' ? {} : { todo });
}

/** What a read gives, where another check has told how it fits. */
async function quietly<T>(findings: AsyncGenerator<Finding, T[]>): Promise<T[]> {
  for (;;) {
    const step = await findings.next();
    if (step.done) return step.value;
  }
}
