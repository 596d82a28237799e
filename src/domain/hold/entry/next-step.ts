import { waitsFor } from '../../shared/outcome.js';
import { hour, type Instant, minute, type Period } from '../../shared/time.js';
import { entryReason, rangeAround } from '../free-periods.js';
import { dueAt } from '../record.js';
import type { Entry, HoldState, HoldStep } from '../types.js';

/** A hold that is not placed by then is given up. */
const placeWithinMs = hour;

/** An entry that began this shortly ago is deleted rather than shortened. */
const justBegunMs = minute;

/** The end of an attempt to place the hold. */
export function placeBy({ createdAt, period }: HoldState): Instant {
  return Math.min(createdAt + placeWithinMs, period.end);
}

/** It stood in the platform's schedule, whatever became of it since. */
export function wasPlaced({ kind }: Entry): boolean {
  return kind !== 'none' && kind !== 'sent' && kind !== 'blocked';
}

/** The next step for the entry; null: none is left. */
export function entryStep(state: HoldState, now: Instant): HoldStep | null {
  const { entry, request } = state;
  const { carId } = request;
  switch (entry.kind) {
    case 'sent':
    case 'blocked': {
      const wide = entry.kind === 'blocked' && entry.wide;
      const known = wide ? { ...state, carNumber: null } : state;
      const lookAt = entry.kind === 'sent' ? entry.lookAt : now;
      return later(state, now, readSchedules(known, state.period, now), lookAt);
    }
    case 'changing':
    case 'deleting':
      return later(state, now, { do: 'look-at-entry', scheduleId: entry.scheduleId }, entry.lookAt);
    case 'none': {
      if (state.leaving !== null) return null;
      const add: HoldStep = { do: 'add-entry', carId, period: state.period, reason: reasonOf(state) };
      return later(state, now, state.carNumber === null ? { do: 'read-car', carId } : add);
    }
    case 'placed': {
      if (state.leaving !== null) return leave(state, entry, now);
      if (!state.checked) return later(state, now, { do: 'look-at-entry', scheduleId: entry.scheduleId });
      const { change } = state;
      if (change === null) return null;
      if (change.blocked) return readSchedules(state, change.period, now);
      const { scheduleId } = entry;
      const { period, reason } = change;
      const step: HoldStep = {
        do: 'change-entry',
        scheduleId,
        carId,
        period,
        reason: entryReason(reason, request.holdId),
      };
      return wasHeldBack(state) ? later(state, now, step) : step;
    }
    case 'gone':
      return null;
  }
}

/** Handover itself sent no request at the last try. Earlier releases have no such trouble: their runs wait for nothing here. */
function wasHeldBack({ troubles }: HoldState): boolean {
  return waitsFor(troubles.entry?.code ?? '') === 'handover';
}

/** F10: an entry not yet begun is deleted, one under way ends at the request, one past stays as history. */
function leave(state: HoldState, entry: Entry & { kind: 'placed' }, now: Instant): HoldStep | null {
  const { scheduleId, period, reason } = entry;
  const at = shortenedTo(state);
  if (state.leaving?.end === 'ended' || period.end <= at) return null;
  const { carId } = state.request;
  return later(
    state,
    now,
    at - period.start < justBegunMs
      ? { do: 'delete-entry', scheduleId }
      : { do: 'change-entry', scheduleId, carId, period: { start: period.start, end: at }, reason },
  );
}

/** Whole seconds, as the period is: what is read back must be equal. */
function shortenedTo({ leaving }: HoldState): Instant {
  return Math.floor((leaving?.at ?? 0) / 1000) * 1000;
}

function later(state: HoldState, now: Instant, step: HoldStep, at = now): HoldStep {
  const due = Math.max(at, dueAt(state, 'entry'));
  return due > now ? { do: 'wait', until: due } : step;
}

function readSchedules(state: HoldState, period: Period, now: Instant): HoldStep {
  const { carNumber, request } = state;
  return { do: 'read-schedules', carId: request.carId, carNumber, range: rangeAround(period, now) };
}

function reasonOf({ reason, request }: HoldState): string {
  return entryReason(reason, request.holdId);
}
