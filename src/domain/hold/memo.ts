import { waitsFor } from '../shared/outcome.js';
import { type Instant, platformStamp } from '../shared/time.js';
import { noAnswer } from './messages/no-answer.js';
import { dueAt, withoutTrouble, withTrouble } from './record.js';
import type { HoldState, HoldStep, StepAnswers } from './types.js';

/** F02: one memo per hold; null: it is there, or is not needed any more. */
export function memoStep(state: HoldState, now: Instant): HoldStep | null {
  if (state.memoId !== null || state.withoutMemo) return null;
  const due = dueAt(state, 'memo');
  if (due > now) return { do: 'wait', until: due };
  return { do: 'write-memo', carId: state.request.carId, content: memoContent(state) };
}

/** Names the hold, and so no other memo has the same text; it states the first request. */
function memoContent({ request, zoneOffsetMinutes }: HoldState): string {
  const { holdId, reservationId, reason, period, withdrawFromSale } = request;
  const of = reservationId === null ? '' : `[reservation ${reservationId}] `;
  const [from, to] = [period.start, period.end].map((at) => platformStamp(at, zoneOffsetMinutes));
  return `[hold ${holdId}] ${of}${reason}, ${from} - ${to}${withdrawFromSale ? ', not on sale' : ''}`;
}

export function applyWrittenMemo(
  state: HoldState,
  answer: StepAnswers['write-memo'],
  now: Instant,
): HoldState {
  if (answer.outcome === 'applied') return withoutTrouble({ ...state, memoId: answer.memoId }, 'memo');
  const { code } = answer;
  const why = answer.message ?? noAnswer;
  // it is unknown whether it is there: written again, it might be there twice
  const forPeople = answer.outcome === 'unknown' || waitsFor(code) === null;
  return withTrouble(state, 'memo', { code, message: why, forPeople }, now);
}
