import { addPhoto, moveTo } from '../actions/commands.js';
import { changeCar, changeCompanion, changePeriod } from '../actions/web-site.js';
import type { Sandbox } from '../context.js';
import { Refusal } from '../core/refusal.js';
import { freeCarOfProduct } from '../store/assignment.js';
import type { ReservationRow } from '../store/reservations.js';
import { companion, parkingSpot } from './people.js';
import type { Random } from './random.js';
import type { Act } from './trip.js';
import type { World } from './world.js';

/** The first bytes of a JPEG, which are all that the platform checks. */
const photo = { type: 'image/jpeg', bytes: new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]) } as const;
const hour = 3_600_000;

/** Those that another schedule of the car may block, which only a write shows (E011). */
const collide: ReadonlySet<Act> = new Set(['extend', 'swapCar']);

/** Does one step with the sandbox's own actions. Null: the platform refused it, and nothing has changed. */
export async function perform(
  { sandbox, inOwnTransaction }: World,
  random: Random,
  act: Act,
  reservation: ReservationRow,
): Promise<ReservationRow | null> {
  const work = () => actions[act](sandbox, random, reservation);
  try {
    return await (collide.has(act) ? inOwnTransaction(work) : work());
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

type Action = (sandbox: Sandbox, random: Random, reservation: ReservationRow) => Promise<ReservationRow>;

const actions: Record<Act, Action> = {
  dispatchStart: (sandbox, _random, target) => moveTo(sandbox, target, 'dispatchStart'),
  parkingImage: (sandbox, random, target) =>
    addPhoto(sandbox, target, 'dispatchParkingImage', photo, {
      parkingMemo: parkingSpot(random),
      parkingLotType: random.chance(0.5) ? 1 : 0,
    }),
  dispatchComplete: (sandbox, _random, target) => moveTo(sandbox, target, 'dispatchComplete'),
  startUse: (sandbox, _random, target) => moveTo(sandbox, target, 'startUse'),
  extend: (sandbox, random, { reservationId, endAt }) =>
    changePeriod(sandbox, reservationId, { endAt: endAt + random.whole(1, 24) * hour }),
  return: (sandbox, _random, target) => moveTo(sandbox, target, 'return'),
  recallComplete: (sandbox, _random, target) => moveTo(sandbox, target, 'recallComplete'),
  cancel: (sandbox, _random, target) => moveTo(sandbox, target, 'cancel'),
  swapCar: async (sandbox, _random, { reservationId, productId, startAt, endAt }) => {
    const car = await freeCarOfProduct(sandbox.db, productId, { startAt, endAt });
    if (!car) throw new Refusal('NO_AVAILABILITY', 'no other car of the product is free');
    return changeCar(sandbox, reservationId, car.carId);
  },
  addCompanion: (sandbox, random, { reservationId }) =>
    changeCompanion(sandbox, reservationId, companion(random)),
  removeCompanion: (sandbox, _random, { reservationId }) => changeCompanion(sandbox, reservationId, null),
};
