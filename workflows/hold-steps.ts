import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { Attempt } from '../src/contract/attempt.js';
import { commandRole } from '../src/contract/role.js';
import {
  type Asking,
  answeredStep,
  type Doing,
  type Ended,
  type HoldState,
  type HoldStep,
  type StepAnswers,
} from '../src/fleet/holds/index.js';
import { stamp } from '../src/lifecycle/time.js';
import { writeMemoOnce } from './car-memo.js';
import { untilAnswered } from './patience.js';
import { holdRows, platform, scans } from './proxies.js';

/** How long a step waits for the platform to take its request; then the hold decides anew. */
const patienceMs = 20_000;
/** Enough to look twice after a lost answer, and to write it again. */
const memoPatienceMs = 90_000;
/** A read is tried again for so long; then people see that it fails. */
const readFor = '5m';

type Effects = {
  [A in Asking]: (step: Doing<A>, zoneOffsetMinutes: number) => Promise<StepAnswers[A]>;
};

const effects: Readonly<Effects> = {
  'read-car': ({ carId }) =>
    answered('read the car', (o) => platform.readCar.executeWithOptions(o, [{ carId }])),
  'add-entry': ({ do: _, ...entry }) =>
    answered('add the schedule entry', (o) => platform.addSchedule.executeWithOptions(o, [entry])),
  'change-entry': ({ do: _, ...entry }) =>
    answered('change the schedule entry', (o) => platform.changeSchedule.executeWithOptions(o, [entry])),
  'delete-entry': ({ scheduleId }) =>
    answered('delete the schedule entry', (o) =>
      platform.deleteSchedule.executeWithOptions(o, [{ scheduleId }]),
    ),
  'look-at-entry': ({ scheduleId }) =>
    answered('look at the schedule entry', (o) =>
      platform.getSchedule.executeWithOptions(o, [{ scheduleId }]),
    ),
  'read-schedules': ({ carId, carNumber, range }, zoneOffsetMinutes) => {
    const [startDate = '', endDate = ''] = [range.start, range.end].map((at) =>
      stamp(at, zoneOffsetMinutes).slice(0, 10),
    );
    const query = { carId, ...(carNumber !== null && { carNumber }), startDate, endDate };
    return readEnd(() =>
      scans().carSchedules.executeWithOptions({ ...reading, summary: 'read the schedule' }, [query]),
    );
  },
  'write-memo': ({ carId, content }) => writeMemoOnce({ carId, content, until: Date.now() + memoPatienceMs }),
  'ask-turn': ({ do: _, ...asked }) =>
    readEnd(() => holdRows.holdBefore.executeWithOptions({ summary: 'whose turn it is' }, [asked])),
  'list-products': () =>
    readEnd(() =>
      scans().listProductIds.executeWithOptions({ ...reading, summary: 'list the products' }, []),
    ),
  'look-in-products': ({ carId, productIds }) =>
    Promise.all(
      productIds.map(async (productId) => {
        const summary = `look into product ${productId}`;
        const look = () =>
          scans().carInProduct.executeWithOptions({ ...reading, summary }, [{ productId, carId }]);
        return { productId, answer: await readEnd(look) };
      }),
    ),
  'set-sale': ({ carId, saleYn, productIds }) =>
    Promise.all(
      productIds.map(async (productId) => ({
        productId,
        answer: await answered(`set ${saleYn} in product ${productId}`, (o) =>
          platform.setSaleStatus.executeWithOptions(o, [{ productId, carId, saleYn }]),
        ),
      })),
    ),
};

const reading = { scheduleToCloseTimeout: readFor } as const;

/** Does one step. @returns what takes its answer into the hold */
export async function performStep(
  step: Exclude<HoldStep, { do: 'wait' | 'end' }>,
  zoneOffsetMinutes: number,
): Promise<(state: HoldState, now: number) => HoldState> {
  return perform(step.do, step, zoneOffsetMinutes);
}

async function perform<A extends Asking>(asked: A, step: Doing<A>, zoneOffsetMinutes: number) {
  const answer = await effects[asked](step, zoneOffsetMinutes);
  return (state: HoldState, now: number) => answeredStep(state, asked, step, answer, now);
}

function answered<T>(
  summary: string,
  attempt: (options: { summary: string }) => Promise<Attempt<T>>,
): Promise<Ended<T>> {
  return untilAnswered(() => attempt({ summary }), { role: commandRole, until: Date.now() + patienceMs });
}

/** A read that the platform refused, or did not answer in all that time. */
async function readEnd<T>(read: () => Promise<T>): Promise<Ended<T>> {
  try {
    return { kind: 'done', value: await read() };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const { cause } = error;
    if (cause instanceof ApplicationFailure && cause.nonRetryable === true) {
      return { kind: 'refused', code: cause.type ?? 'REFUSED', message: cause.message };
    }
    return { kind: 'unknown', code: 'NOT_READ' };
  }
}
