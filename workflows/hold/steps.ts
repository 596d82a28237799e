import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { Attempt } from '../../src/contract/attempt.js';
import { commandRole } from '../../src/contract/role.js';
import {
  type Asking,
  applyStepAnswer,
  type Doing,
  type HoldState,
  type HoldStep,
  type StepAnswers,
  type StepEnd,
} from '../../src/domain/hold/index.js';
import { stamp } from '../../src/domain/shared/time.js';
import { attemptId } from '../shared/attempts.js';
import { retryPolicy } from '../shared/backoff.js';
import { writeMemoOnce } from '../shared/car-memo.js';
import { holdTurns, platform, scans } from '../shared/proxies.js';
import { sendUntilAnswered } from '../shared/retry-window.js';

/** How long a step retries a request that the platform does not accept; then the hold decides again. */
const retryWindowMs = 20_000;
/** Enough to search twice after a lost answer, and to write the memo again. */
const memoRetryWindowMs = 90_000;
/** Includes the wait in the queue that paces reads. */
const readFor = '5m';
/** After that the read has failed: the hold counts it, shows it to staff and retries (F12). */
const readTries = 3;

export interface StepContext {
  zoneOffsetMinutes: number;
  /** Business identity of the step, unique among the steps of all holds. */
  command: string;
  /** Milliseconds until an unanswered query to the database is repeated; undefined: the usual interval. */
  askLaterMs(): number | undefined;
}

type Effects = {
  [A in Asking]: (step: Doing<A>, context: StepContext) => Promise<StepAnswers[A]>;
};

const effects: Readonly<Effects> = {
  'read-car': ({ carId }) =>
    sendStep('read the car', (o) => platform.readCar.executeWithOptions(o, [{ carId }])),
  'add-entry': ({ do: _, ...entry }, { command }) =>
    sendStep('add the schedule entry', (o, tries) =>
      platform.addSchedule.executeWithOptions(o, [{ ...entry, id: attemptId(command, tries) }]),
    ),
  'change-entry': ({ do: _, ...entry }, { command }) =>
    sendStep('change the schedule entry', (o, tries) =>
      platform.changeSchedule.executeWithOptions(o, [{ ...entry, id: attemptId(command, tries) }]),
    ),
  'delete-entry': ({ scheduleId }, { command }) =>
    sendStep('delete the schedule entry', (o, tries) =>
      platform.deleteSchedule.executeWithOptions(o, [{ scheduleId, id: attemptId(command, tries) }]),
    ),
  'look-at-entry': ({ scheduleId }) =>
    sendStep('read the schedule entry', (o) => platform.getSchedule.executeWithOptions(o, [{ scheduleId }])),
  'read-schedules': ({ carId, carNumber, range }, { zoneOffsetMinutes }) => {
    const [startDate = '', endDate = ''] = [range.start, range.end].map((at) =>
      stamp(at, zoneOffsetMinutes).slice(0, 10),
    );
    const query = { carId, ...(carNumber !== null && { carNumber }), startDate, endDate };
    return readEnd(() =>
      scans().carSchedules.executeWithOptions({ ...readOptions(), summary: 'read the schedule' }, [query]),
    );
  },
  'write-memo': ({ carId, content }, { command }) =>
    writeMemoOnce({ carId, content, until: Date.now() + memoRetryWindowMs, command }),
  'ask-turn': async ({ do: _, ...request }, { askLaterMs }) => {
    const summary = 'find the hold before this one';
    const end = await readEnd(() => holdTurns.holdBefore.executeWithOptions({ summary }, [request]));
    const againMs = end.outcome === 'applied' ? undefined : askLaterMs();
    return againMs === undefined ? end : { ...end, againMs };
  },
  'list-products': () =>
    readEnd(() =>
      scans().listProductIds.executeWithOptions({ ...readOptions(), summary: 'list the products' }, []),
    ),
  'look-in-products': ({ carId, productIds }) =>
    Promise.all(
      productIds.map(async (productId) => {
        const summary = `read the car in product ${productId}`;
        const readProducts = () =>
          scans().carInProduct.executeWithOptions({ ...readOptions(), summary }, [{ productId, carId }]);
        return { productId, answer: await readEnd(readProducts) };
      }),
    ),
  'set-sale': ({ carId, saleYn, productIds }, { command }) =>
    Promise.all(
      productIds.map(async (productId) => ({
        productId,
        answer: await sendStep(`set ${saleYn} in product ${productId}`, (o, tries) => {
          const id = attemptId(`${command}:${productId}`, tries);
          return platform.setSaleStatus.executeWithOptions(o, [{ productId, carId, saleYn, id }]);
        }),
      })),
    ),
};

const readOptions = () => ({
  scheduleToCloseTimeout: readFor,
  retry: { ...retryPolicy(), maximumAttempts: readTries },
});

/** Does one step. @returns a function that applies its answer to the hold */
export async function performStep(
  step: Exclude<HoldStep, { do: 'wait' | 'end' }>,
  context: StepContext,
): Promise<(state: HoldState, now: number) => HoldState> {
  return perform(step.do, step, context);
}

async function perform<A extends Asking>(stepName: A, step: Doing<A>, context: StepContext) {
  const answer = await effects[stepName](step, context);
  return (state: HoldState, now: number) => applyStepAnswer(state, stepName, step, answer, now);
}

function sendStep<T>(
  summary: string,
  attempt: (options: { summary: string }, tries: string) => Promise<Attempt<T>>,
): Promise<StepEnd<T>> {
  return sendUntilAnswered((tries) => attempt({ summary }, `${tries}`), {
    role: commandRole,
    until: Date.now() + retryWindowMs,
  });
}

/** `rejected`: the platform refused the read; `unknown`: it gave no usable answer in time. */
async function readEnd<T>(read: () => Promise<T>): Promise<StepEnd<T>> {
  try {
    return { outcome: 'applied', value: await read() };
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const { cause } = error;
    if (!(cause instanceof ApplicationFailure)) return { outcome: 'unknown', code: 'NOT_READ' };
    const { type, message } = cause;
    if (cause.nonRetryable === true) return { outcome: 'rejected', code: type ?? 'REFUSED', message };
    return { outcome: 'unknown', code: 'NOT_READ', message };
  }
}
