import type { Sentence } from '../shared/message.js';
import { type Instant, type Period, stamp } from '../shared/time.js';
import { commandMark, isStuck } from './commands.js';
import { wasPlaced } from './entry/next-step.js';
import { message } from './messages/message.js';
import { shownFrom } from './record.js';
import type { Entry, HoldCommand, HoldEnd, HoldRefused, HoldState, SaleOf, Topic } from './types.js';

/**
 * `placing`: not all is in place yet; `planned`, `active`: all is; `releasing`: it is being undone; `attention`: something
 * is blocked, and a manager may resolve it; then the ends.
 */
export const holdStates = [
  'placing',
  'planned',
  'active',
  'releasing',
  'attention',
  'refused',
  'ended',
  'released',
  'resolved',
] as const satisfies readonly (HoldEnd | string)[];
export type HoldStateName = (typeof holdStates)[number];
export const attentionOfHolds = [
  'entry',
  'memo',
  'sale-not-withdrawn',
  'sale-not-restored',
  'workflow-gone',
] as const;
export type HoldAttentionKind = (typeof attentionOfHolds)[number];

/** What lists show of a hold: nothing personal (L60). */
export interface HoldFacts {
  holdId: string;
  carId: number;
  period: Period;
  state: HoldStateName;
  open: boolean;
  withdrawFromSale: boolean;
  reservationId: number | null;
  createdAt: Instant;
  endedAt: Instant | null;
  attention: HoldAttentionKind[];
}

interface PeriodView {
  start: string;
  end: string;
}
interface HoldRefusedView {
  code: string;
  message: Sentence;
  platformMessage?: string;
  inTheWay?: (PeriodView & { scheduleId: number; type: 'R' | 'S'; holdId: string | null })[];
  free?: { before: PeriodView | null; after: PeriodView | null };
}
export interface HoldCommandView {
  commandId: string;
  action: HoldCommand['action'];
  by: string;
  at: string;
  outcome: HoldCommand['outcome'];
  refused: HoldRefusedView | null;
  /** Identifies equal commands, and is never shown; absent: written by 0.3.0. */
  mark?: string;
}

/** One hold; timestamps in the service's zone. `mark` identifies equal requests, and is never shown. */
export interface HoldView {
  holdId: string;
  carId: number;
  carNumber: string | null;
  state: HoldStateName;
  open: boolean;
  period: PeriodView;
  reason: string;
  withdrawFromSale: boolean;
  reservationId: number | null;
  by: string;
  createdAt: string;
  endedAt: string | null;
  /** The entry in the platform's schedule. */
  schedule: { scheduleId: number | null; state: Entry['kind'] };
  memoId: number | null;
  /** Products that hold the car, as far as they were looked into. */
  sale: { productId: number; state: SaleOf['kind'] }[];
  attention: { kind: HoldAttentionKind; since: string; code: string; message: Sentence; left: string[] }[];
  refused: HoldRefusedView | null;
  commands: HoldCommandView[];
  mark: string;
}

function stateName(state: HoldState, now: Instant): HoldStateName {
  const { end, leaving, entry, memoId, withoutMemo, sale, period, request } = state;
  if (end !== null) return end;
  if (isStuck(state)) return 'attention';
  if (leaving !== null) return 'releasing';
  // one that is gone is a trouble until a person takes it so
  const isScanned =
    sale.scan === 'idle' && !sale.products.some(({ kind }) => kind === 'on-sale' || kind === 'setting');
  const isSaleDone = !request.withdrawFromSale || !sale.begun || isScanned;
  if (!wasPlaced(entry) || (memoId === null && !withoutMemo) || !isSaleDone) return 'placing';
  return now < period.start ? 'planned' : 'active';
}

export function holdFacts(state: HoldState, now: Instant): HoldFacts {
  const { request, period, createdAt, endedAt, end } = state;
  const { holdId, carId, withdrawFromSale, reservationId } = request;
  return {
    holdId,
    carId,
    period,
    withdrawFromSale,
    reservationId,
    createdAt,
    endedAt,
    state: stateName(state, now),
    open: end === null,
    attention: shownTroubles(state).map(({ kind }) => kind),
  };
}

export function holdView(state: HoldState, now: Instant): HoldView {
  const { request, period, reason, carNumber, createdAt, endedAt, entry, memoId, sale, refused } = state;
  const { holdId, carId, withdrawFromSale, reservationId, by, mark } = request;
  const write = (at: Instant) => stamp(at, state.zoneOffsetMinutes);
  return {
    holdId,
    carId,
    carNumber,
    reason,
    withdrawFromSale,
    reservationId,
    by,
    memoId,
    mark,
    state: stateName(state, now),
    open: state.end === null,
    period: toPeriodView(period, write),
    createdAt: write(createdAt),
    endedAt: endedAt === null ? null : write(endedAt),
    schedule: { scheduleId: 'scheduleId' in entry ? entry.scheduleId : null, state: entry.kind },
    sale: sale.products.map(({ productId, kind }) => ({ productId, state: kind })),
    attention: shownTroubles(state).map(({ since, ...item }) => ({ ...item, since: write(since) })),
    refused: refused === null ? null : refusedView(refused, write),
    commands: state.commands.map(({ commandId, action, by: who, at, outcome, refused: why, asked }) => ({
      commandId,
      action,
      by: who,
      at: write(at),
      outcome,
      mark: commandMark({ action, asked }),
      refused: why === null ? null : refusedView(why, write),
    })),
  };
}

function toPeriodView({ start, end }: Period, write: (at: Instant) => string): PeriodView {
  return { start: write(start), end: write(end) };
}

function refusedView(
  { code, message: why, platformMessage, inTheWay, free }: HoldRefused,
  write: (at: Instant) => string,
): HoldRefusedView {
  const toViewOrNull = (period: Period | null) => (period === null ? null : toPeriodView(period, write));
  return {
    code,
    message: why,
    ...(platformMessage !== undefined && { platformMessage }),
    ...(inTheWay !== undefined && {
      inTheWay: inTheWay.map(({ start, end, ...entry }) => ({
        ...entry,
        ...toPeriodView({ start, end }, write),
      })),
    }),
    ...(free !== undefined && {
      free: { before: toViewOrNull(free.before), after: toViewOrNull(free.after) },
    }),
  };
}

interface Shown {
  kind: HoldAttentionKind;
  since: Instant;
  code: string;
  message: Sentence;
  left: string[];
}

/** F12: what is shown of a blocked hold, with what is in place. */
function shownTroubles(state: HoldState): Shown[] {
  const topics: Topic[] = ['entry', 'memo', 'sale', 'products'];
  return topics.flatMap((topic) => {
    const trouble = state.troubles[topic];
    if (trouble === undefined || trouble.tries < shownFrom) return [];
    const { since, code, message: why } = trouble;
    return { since, code, ...attentionOf(state, topic, why) };
  });
}

function attentionOf(
  state: HoldState,
  topic: Topic,
  why: Sentence,
): Pick<Shown, 'kind' | 'message' | 'left'> {
  if (topic === 'entry') return { kind: 'entry', message: why, left: leftEntry(state.entry) };
  if (topic === 'products') return { kind: 'sale-not-withdrawn', message: why, left: [] };
  if (topic === 'memo') return { kind: 'memo', message: message('hold.memo-missing', { why }), left: [] };
  const inPlace = state.sale.products.filter(({ kind }) => ['ours', 'restoring', 'setting'].includes(kind));
  const left = inPlace.map(({ productId }) => `product/${productId}`);
  const kind = state.leaving === null ? 'sale-not-withdrawn' : 'sale-not-restored';
  return { kind, message: message(`hold.${kind}`, { why }), left };
}

function leftEntry(entry: Entry): string[] {
  return 'scheduleId' in entry && entry.kind !== 'gone' ? [`schedule/${entry.scheduleId}`] : [];
}
