import { mustSucceed, type Send } from '../../player/http.js';
import type { callAnswers, Deed } from '../format/step.js';

type Fault = Extract<Deed, { who: 'platform' }>['fault'];
type Planned = Record<string, unknown> & { hits?: number; seen?: number; times?: number };

/** What is to go wrong on the platform's side. */
export interface Faults {
  /** Adds the fault of a step to those that are still to come. */
  add(fault: Fault, reservationId: number): Promise<void>;
}

const forEver = 100_000;
/** A change of status is reported twice, by update and by status webhook (G31). */
const bothChannels = 2;

export function createFaults(controls: Send): Faults {
  return {
    async add(fault, reservationId) {
      const { calls, callbacks } = (await mustSucceed(controls)('GET', '/sandbox/faults')).body;
      const body = {
        calls: [...remainingOf(calls, fault.key !== undefined), ...callsOf(fault)],
        callbacks: [...remainingOf(callbacks, false), ...callbacksOf(fault, reservationId)],
      };
      await mustSucceed(controls)('PUT', '/sandbox/faults', { body });
    },
  };
}

/** What remains of the current plan: a new plan counts from zero, so faults that already hit are left out. */
function remainingOf(planned: Planned[], keyTurns: boolean): Planned[] {
  return planned.flatMap(({ hits = 0, seen: _, times = 1, ...fault }) => {
    const isKey = times >= forEver / 2;
    return times > hits && !(keyTurns && isKey) ? [{ ...fault, times: times - hits }] : [];
  });
}

function callsOf({ answers, with: how = 'timeout', times = 1, retryAfter, key }: Fault): Planned[] {
  if (key === 'revoked')
    return [{ operation: '*', times: forEver, effect: { kind: 'refuse', code: 'UNAUTHORIZED' } }];
  if (answers === undefined) return [];
  const wait = retryAfter === undefined ? {} : { retryAfterSeconds: Math.round(retryAfter / 1000) };
  const operation = operations[answers] ?? answers;
  return [{ operation, times, effect: { ...effects[how], ...wait } }];
}

const operations: Readonly<Record<string, string>> = { all: '*', memo: 'addCarMemo' };

const effects: Record<(typeof callAnswers)[number], object> = {
  timeout: { kind: 'hang', applied: false },
  'timeout-after-applying': { kind: 'hang', applied: true },
  reset: { kind: 'reset', applied: false },
  'reset-after-applying': { kind: 'reset', applied: true },
  '503': { kind: 'status', status: 503, applied: false },
  '503-after-applying': { kind: 'status', status: 503, applied: true },
  '404': { kind: 'refuse', code: 'NOT_FOUND' },
  '429': { kind: 'refuse', code: 'RATE_LIMITED' },
  redirect: { kind: 'status', status: 302, applied: false },
  'broken-body': { kind: 'broken-body' },
  'illegal-state': { kind: 'refuse', code: 'ILLEGAL_STATE' },
};

function callbacksOf(fault: Fault, reservationId: number): Planned[] {
  const { loses, delays, repeats, garbles, by = 0, times } = fault;
  const about = (word: Fault['loses']) => {
    if (typeof word === 'number')
      return { event: '*', status: word, reservationId, times: times ?? bothChannels };
    return { event: word === 'all' ? '*' : word, reservationId, times: times ?? 1 };
  };
  return [
    ...(loses === undefined ? [] : [{ ...about(loses), effect: { kind: 'drop' } }]),
    ...(delays === undefined ? [] : [{ ...about(delays), effect: { kind: 'delay', ms: by } }]),
    ...(repeats === undefined ? [] : [{ ...about(repeats), effect: { kind: 'duplicate', copies: 1 } }]),
    ...(garbles === undefined ? [] : [{ ...about(garbles), effect: { kind: 'corrupt', signed: true } }]),
  ];
}
