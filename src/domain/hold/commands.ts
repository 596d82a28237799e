import { keyReused, markOf, type Standing, standingOf } from '../shared/idempotency.js';
import type { Sentence } from '../shared/message.js';
import type { Instant } from '../shared/time.js';
import { changedPeriod, isEditable, isRefusal } from './check.js';
import { finishHold, leftOf } from './decide.js';
import { message } from './messages/message.js';
import { concludeCommand, shownFrom, withCommand } from './record.js';
import type { HoldAction, HoldCommand, HoldRequest, HoldState, Trouble } from './types.js';

/** Update: another period or reason. */
export interface ChangeHold {
  commandId: string;
  by: string;
  start?: Instant;
  end?: Instant;
  reason?: string;
}
/** Updates: release it early, or again; take it as it stands. */
export interface EndHold {
  commandId: string;
  by: string;
  reason: string | null;
}

/** A refusal at once: nothing reached the platform. */
export interface HoldRefusal {
  code:
    | 'COMMAND_ID_REUSED'
    | 'HOLD_OVER'
    | 'HOLD_BEGUN'
    | 'HOLD_BUSY'
    | 'HOLD_NOT_STUCK'
    | 'HOLD_ENTRY_GONE'
    | 'HOLD_WORKFLOW_GONE'
    | 'HOLD_IN_PAST'
    | 'HOLD_TOO_FAR'
    | 'PERIOD_REVERSED'
    | 'E012';
  message: Sentence;
}

/** A new hold, of which nothing is in place yet. */
export function newHold(request: HoldRequest, zoneOffsetMinutes: number, now: Instant): HoldState {
  const { holdId, by, period, reason, mark } = request;
  const create: HoldCommand = {
    commandId: holdId,
    action: 'create',
    asked: mark,
    by,
    at: now,
    reason,
    outcome: 'out',
    refused: null,
  };
  return {
    version: 1,
    request,
    zoneOffsetMinutes,
    createdAt: now,
    carNumber: null,
    period,
    reason,
    entry: { kind: 'none' },
    memoId: null,
    withoutMemo: false,
    checked: true,
    sale: { products: [], scan: 'idle', begun: false, isOurTurn: false, askAt: 0 },
    change: null,
    leaving: null,
    refused: null,
    end: null,
    endedAt: null,
    troubles: {},
    commands: [create],
    audit: [],
    audited: 0,
  };
}

/** The form in which a hold stores the content of a command. */
export function contentOf({ commandId: _, by: __, ...rest }: ChangeHold | EndHold): string {
  return JSON.stringify(rest, Object.keys(rest).sort());
}

/** Of a command on a hold; the API does not show it. */
export function commandMark({ action, asked: content }: Pick<HoldCommand, 'action' | 'asked'>): string {
  return markOf(action, { asked: content });
}

/** What a command is to those that the hold knows; of those that 0.3.0 stored without a mark the action alone is compared. */
export function standingAmong(
  commands: readonly { commandId: string; action: HoldAction; mark?: string }[],
  action: HoldAction,
  input: ChangeHold | EndHold,
): Standing {
  const known = commands.find(({ commandId }) => commandId === input.commandId);
  if (known !== undefined && known.action !== action) return 'other';
  return standingOf(known, commandMark({ action, asked: contentOf(input) }));
}

/** L21: the same id again is the same request; with another body it is refused. Undefined: not seen yet. */
function checkRepeat(
  state: HoldState,
  action: HoldAction,
  input: ChangeHold | EndHold,
): HoldRefusal | null | undefined {
  const commands = state.commands.map((command) => ({ ...command, mark: commandMark(command) }));
  const standing = standingAmong(commands, action, input);
  if (standing === 'new') return undefined;
  return standing === 'same' ? null : keyReused();
}

/** Why a hold cannot be changed so; null where it can (F09, F11). */
export function checkChange(state: HoldState, input: ChangeHold, now: Instant): HoldRefusal | null {
  const again = checkRepeat(state, 'change', input);
  if (again !== undefined) return again;
  const { period, entry, leaving } = state;
  if (leaving !== null || now >= period.end) {
    return changeOfOver(period.end, now, state.zoneOffsetMinutes);
  }
  if (entry.kind === 'gone') return entryIsGone;
  if (state.change !== null || entry.kind !== 'placed') return busy;
  const hasBegun = now >= period.start;
  if (hasBegun && input.start !== undefined && input.start !== period.start) return begun;
  const changed = changedPeriod(period, input, now);
  return isRefusal(changed) ? changed : null;
}

/** Why a hold that is over cannot be changed (F09). */
export function changeOfOver(end: Instant, now: Instant, zoneOffsetMinutes: number): HoldRefusal {
  return isEditable(end, now, zoneOffsetMinutes) ? isOver : tooOld;
}

/** Applies a change that `checkChange` has allowed; a repeat changes nothing. */
export function changeHold(state: HoldState, input: ChangeHold, now: Instant): HoldState {
  if (checkRepeat(state, 'change', input) !== undefined) return state;
  const period = changedPeriod(state.period, input, now);
  if (isRefusal(period)) return state;
  const { commandId, reason = state.reason } = input;
  const accepted = addCommand(state, 'change', input, now);
  return { ...accepted, change: { commandId, period, reason, blocked: false } };
}

/** F10: a hold is released once; while it is stuck staff may request it again. */
export function checkRelease(state: HoldState, input: EndHold): HoldRefusal | null {
  const again = checkRepeat(state, 'release', input);
  if (again !== undefined) return again;
  return state.end !== null ? isOver : null;
}

export function releaseHold(state: HoldState, input: EndHold, now: Instant): HoldState {
  if (checkRepeat(state, 'release', input) !== undefined) return state;
  const { change, leaving, troubles, ...rest } = addCommand(state, 'release', input, now);
  // everything that waits is tried at once
  const waiting = Object.entries(troubles).filter(([topic]) => topic !== 'memo' && topic !== 'products');
  const atOnce = Object.fromEntries(waiting.map(([topic, trouble]) => [topic, { ...trouble, nextAt: now }]));
  const released: HoldState = {
    ...rest,
    change: null,
    troubles: atOnce,
    leaving: leaving ?? { end: 'released', at: now },
  };
  if (change === null) return released;
  return concludeCommand(released, change.commandId, {
    outcome: 'rejected',
    refused: isOver,
    at: now,
    data: {},
  });
}

/** F13: a person can resolve only a hold that is stuck. */
export function checkResolve(state: HoldState, input: EndHold): HoldRefusal | null {
  const again = checkRepeat(state, 'resolve', input);
  if (again !== undefined) return again;
  if (state.end !== null) return isOver;
  return isStuck(state) ? null : notStuck;
}

/**
 * F13: accepts what is stuck as it is. A hold that stays continues with what it has; one that is being undone ends, and
 * what it leaves in place is reported.
 */
export function resolveHold(state: HoldState, input: EndHold, now: Instant): HoldState {
  if (checkRepeat(state, 'resolve', input) !== undefined) return state;
  const facts = { outcome: 'applied', at: now, data: leftOf(state) } as const;
  const accepted = concludeCommand(addCommand(state, 'resolve', input, now), input.commandId, facts);
  if (state.leaving !== null) return finishHold(accepted, 'resolved', now);
  const { memo, sale } = accepted.troubles;
  const resolved: HoldState = {
    ...accepted,
    withoutMemo: accepted.withoutMemo || isShown(memo),
    sale: isShown(sale) ? withoutWithdrawals(accepted.sale) : accepted.sale,
  };
  const continuing = Object.entries(accepted.troubles).filter(([, trouble]) => !isShown(trouble));
  return { ...resolved, troubles: Object.fromEntries(continuing) };
}

function isShown(trouble: Trouble | undefined): boolean {
  return trouble !== undefined && trouble.tries >= shownFrom;
}

/** No product is withdrawn any more. */
function withoutWithdrawals(sale: HoldState['sale']): HoldState['sale'] {
  const products = sale.products.map((one) =>
    one.kind === 'on-sale' ? { ...one, kind: 'untouched' as const } : one,
  );
  return { ...sale, products, scan: 'idle' };
}

export function isStuck({ troubles }: HoldState): boolean {
  return Object.values(troubles).some(isShown);
}

function addCommand(
  state: HoldState,
  action: HoldAction,
  input: ChangeHold | EndHold,
  at: Instant,
): HoldState {
  const { commandId, by } = input;
  return withCommand(state, {
    commandId,
    action,
    asked: contentOf(input),
    by,
    at,
    reason: input.reason ?? null,
    outcome: 'out',
    refused: null,
  });
}

const tooOld: Readonly<HoldRefusal> = {
  code: 'E012',
  message: message('hold.too-old', {}),
};
const isOver: Readonly<HoldRefusal> = {
  code: 'HOLD_OVER',
  message: message('hold.over', {}),
};
const entryIsGone: Readonly<HoldRefusal> = {
  code: 'HOLD_ENTRY_GONE',
  message: message('hold.entry-gone', {}),
};
const busy: Readonly<HoldRefusal> = {
  code: 'HOLD_BUSY',
  message: message('hold.busy', {}),
};
const begun: Readonly<HoldRefusal> = {
  code: 'HOLD_BEGUN',
  message: message('hold.begun', {}),
};
const notStuck: Readonly<HoldRefusal> = {
  code: 'HOLD_NOT_STUCK',
  message: message('hold.not-stuck', {}),
};
