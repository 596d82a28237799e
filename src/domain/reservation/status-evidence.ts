import type { Instant } from '../shared/time.js';
import { latest } from './facts.js';
import type { ReservationState, StatusEvidence, StatusReport } from './state.js';
import { canBothBeTrue, highest, impliedBy, isTerminal } from './statuses.js';
import type { Grade } from './types.js';

export type StatusSource = 'observed' | 'asserted' | 'commanded' | 'inferred';
const strongestFirst: readonly StatusSource[] = ['observed', 'asserted', 'commanded', 'inferred'];

/** Adds one source's report for a status; of several, the first receipt and the newest `changedAt` remain. */
export function witness(
  state: ReservationState,
  code: number,
  source: StatusSource,
  report: StatusReport,
): ReservationState {
  const known = state.statuses.find((one) => one.code === code) ?? blank(code);
  const before = known[source];
  const joined =
    before === null
      ? report
      : {
          ...before,
          at: Math.min(before.at, report.at),
          changedAt: latest(before.changedAt, report.changedAt),
        };
  const others = state.statuses.filter((one) => one.code !== code);
  const statuses = [...others, { ...known, [source]: joined }].sort((a, b) => a.code - b.code);
  const overruled = state.overruled.filter((one) => one.code !== code);
  return { ...state, statuses, overruled };
}

/**
 * L10: a report of a status that a person set aside. It counts again only where it reports a later change: without a
 * date it may be the second callback about the same change.
 */
export function isOverruled(
  { overruled }: ReservationState,
  { status, changedAt }: { status?: number; changedAt?: Instant },
): boolean {
  return overruled.some(({ code, at }) => code === status && (changedAt === undefined || changedAt <= at));
}

function blank(code: number): StatusEvidence {
  return { code, observed: null, asserted: null, commanded: null, inferred: null };
}

export interface StatusBelief {
  code: number | null;
  grade: Grade | null;
  since: Instant | null;
  /** A terminal was reported. */
  terminal: boolean;
  /** Grade of every status reached, those that a later one implies included (L04). */
  reached: Record<string, Grade>;
  /** L08: pairs of a terminal and a status that cannot both be true. */
  contradictions: [number, number][];
  /** L09, L10: other pairs that no legal history contains. */
  conflicts: [number, number][];
}

/** The status that the evidence amounts to; null where nothing speaks for any. */
export function presentStatus(state: ReservationState): number | null {
  return highest(state.statuses.map((one) => one.code));
}

/** What the evidence amounts to; the order in which it came plays no part. */
export function statusBelief(state: ReservationState): StatusBelief {
  const codes = state.statuses.map((one) => one.code);
  const code = highest(codes);
  const pairs = impossiblePairs(state, codes);
  const isContradiction = ([a, b]: [number, number]) => isTerminal(b) && !isTerminal(a);
  return {
    code,
    grade: gradeOf(state, code),
    since: reachedAt(state, code),
    terminal: code !== null && isTerminal(code),
    reached: reachedGrades(state, codes),
    contradictions: pairs.filter(isContradiction),
    conflicts: pairs.filter((pair) => !isContradiction(pair)),
  };
}

function impossiblePairs(state: ReservationState, codes: number[]): [number, number][] {
  return codes.flatMap((a, index) =>
    codes
      .slice(index + 1)
      .filter((b) => !canBothBeTrue(state.policy.fromStates, a, b))
      .map((b): [number, number] => [a, b]),
  );
}

function reachedGrades(state: ReservationState, codes: number[]): Record<string, Grade> {
  const implied = codes.flatMap((code) => impliedBy(state.policy.fromStates, code));
  const all = new Set([...codes, ...implied]);
  return Object.fromEntries([...all].map((code) => [code, gradeOf(state, code) ?? 'inferred']));
}

function gradeOf(state: ReservationState, code: number | null): Grade | null {
  const evidence = state.statuses.find((one) => one.code === code);
  return strongestFirst.find((source) => evidence?.[source]) ?? null;
}

/** The strongest claim of a status, and its grade; null where there is none. */
export function strongestReport(
  state: ReservationState,
  code: number,
): (StatusReport & { grade: Grade }) | null {
  const evidence = state.statuses.find((one) => one.code === code);
  const grade = strongestFirst.find((source) => evidence?.[source]);
  const report = grade && evidence?.[grade];
  return report ? { ...report, grade } : null;
}

/** The lowest status with evidence that implies another (L04); null where none does. */
export function impliesReached(state: ReservationState, code: number): number | null {
  const later = state.statuses.find((one) => impliedBy(state.policy.fromStates, one.code).includes(code));
  return later?.code ?? null;
}

/** When a status was reached: as reported, else when the first claim of it came; null when unknown. */
export function reachedAt(state: ReservationState, code: number | null): Instant | null {
  const evidence = state.statuses.find((one) => one.code === code);
  if (evidence === undefined) return null;
  const reports = strongestFirst.flatMap((source) => evidence[source] ?? []);
  return evidence.observed?.changedAt ?? Math.min(...reports.map((report) => report.at));
}

/** When the first report of a status came, by our own clock. */
export function firstReportedAt(state: ReservationState, code: number): Instant | null {
  const evidence = state.statuses.find((one) => one.code === code);
  if (evidence === undefined) return null;
  return Math.min(...strongestFirst.flatMap((source) => evidence[source]?.at ?? []));
}

/** Whether callbacks show that a status was reached: reported itself, or implied by a reported later one. */
export function shownByCallbacks(state: ReservationState, code: number): boolean {
  return state.statuses.some(
    (one) =>
      one.observed !== null &&
      (one.code === code || impliedBy(state.policy.fromStates, one.code).includes(code)),
  );
}
