import type { Policy } from './types.js';

/** The status codes of the specification and their names (States table). */
const names: Readonly<Record<number, string>> = {
  5: 'reservation complete',
  10: 'dispatch departed',
  15: 'dispatch complete',
  20: 'in use',
  25: 'return delayed',
  30: 'return complete',
  35: 'recall complete',
  40: 'reservation cancelled',
  45: 'no-show cancelled',
  50: 'reservation failed',
};

/**
 * In which order values reported at these statuses were true: a later one wins (L03). 0 stands for the registration,
 * which precedes every update (L07), -1 for what we asked for when we booked (F36); 25 lies between 20 and 30 here,
 * though it is no rung that 30 must pass; terminals come last: of several the last one here is shown (L09).
 */
const order: readonly number[] = [-1, 0, 5, 10, 15, 20, 25, 30, 45, 50, 40, 35];
const terminals: readonly number[] = [35, 40, 45, 50];

export const registrationRung = 0;
export const bookingRung = -1;

/** Every status code of the specification, rising. */
export const statusCodes: readonly number[] = Object.keys(names).map(Number);

export function isKnownStatus(code: number): boolean {
  return code in names;
}
export function statusName(code: number): string {
  return names[code] ?? 'unknown';
}
export function isTerminal(code: number): boolean {
  return terminals.includes(code);
}
/** Position in the order of statuses; higher is later. */
export function rank(code: number): number {
  return order.indexOf(code);
}

/** The one status that a set of reported ones amounts to: the latest. */
export function highest(codes: readonly number[]): number | null {
  return codes.reduce<number | null>(
    (top, code) => (top === null || rank(code) > rank(top) ? code : top),
    null,
  );
}

type FromStates = Policy['fromStates'];

/** Every status from which a legal history may lead to `code`, other than through `without`; a table may go in circles. */
function sourcesOf(from: FromStates, code: number, without?: number): Set<number> {
  const found = new Set<number>();
  const open = [code];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const source of from[at] ?? []) {
      if (source === without || found.has(source)) continue;
      found.add(source);
      open.push(source);
    }
  }
  return found;
}

/** Whether a legal history leads from one status to another (States table, G38). */
export function leadsTo(from: FromStates, earlier: number, later: number): boolean {
  return sourcesOf(from, later).has(earlier);
}

/** L08-L10: whether one legal history can contain both. */
export function canBothBeTrue(from: FromStates, a: number, b: number): boolean {
  if (a === b || leadsTo(from, a, b) || leadsTo(from, b, a)) return true;
  return alwaysAgree.includes(`${Math.min(a, b)}-${Math.max(a, b)}`);
}
/** Lateness alone is never a conflict, and 40 and 45 agree, whatever the table of a profile says. */
const alwaysAgree: readonly string[] = ['25-30', '25-35', '40-45'];

/** Statuses that every legal history to `code` has passed: what `code` implies (L04). */
export function impliedBy(from: FromStates, code: number): number[] {
  const isBeginning = (status: number) => (from[status] ?? []).length === 0;
  const isWay = (sources: Set<number>) => [...sources].some(isBeginning);
  const sources = sourcesOf(from, code);
  if (!isWay(sources)) return [];
  return [...sources].filter((passed) => passed !== code && !isWay(sourcesOf(from, code, passed)));
}
