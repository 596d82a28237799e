import { fingerprint } from '../shared/hash.js';
import type { Instant } from '../shared/time.js';
import { bytesOf, cutTexts, fitToBytes, withinBudget } from './bounds.js';
import { rank } from './statuses.js';
import { type Grade, grades } from './types.js';

/** One value of a fact, and why we believe it. */
export interface Claim<T> {
  value: T;
  /** Fingerprint of the value. */
  key: string;
  grade: Grade;
  /** Inbox row of the event, id of the command, or name of the person who reported it. */
  source: string;
  /** When the source reported it. */
  at: Instant;
  /** Where the profile carries it: when the value became true. */
  changedAt: Instant | null;
  /** Arrival number of the newest report of this value: decides only where nothing better does. */
  arrival: number;
  /** When that report came. */
  heardAt: Instant;
}
type Made<T> = Omit<Claim<T>, 'key' | 'heardAt'>;

/**
 * The reports of one mutable fact: every value of the highest rung it was reported at, and the
 * fingerprints of all values ever. Joining claims in any order gives the same set (order independence); which
 * value is current is derived.
 */
export interface Fact<T> {
  rung: number;
  claims: Claim<T>[];
  known: string[];
  /** Values that a person knew of when they asserted another at this rung: they lose to it (L13). */
  overruled?: string[];
  /** The value that the platform's schedule showed: it decides between all reports until then (L13, L19). */
  shown?: Shown;
}

/** A value that an entry of the platform's schedule shows. */
export interface Shown {
  /** Fingerprint of the value. */
  key: string;
  scheduleId: number;
  /** When the reading began. */
  at: Instant;
}

export interface Current<T> {
  value: T;
  grade: Grade;
  source: string;
  at: Instant;
  /** Who `source` is, where the grade does not state it. */
  from?: 'schedule';
  /** L13: set where the order of several values cannot be known; since when. */
  ambiguousSince: Instant | null;
  /** Distinct values known, minus one. */
  changes: number;
}

const mostClaims = 6;
/** Bytes of one value: 1,000 letters of English, 500 of Korean; of one with several texts, such as the driver. */
const mostOfText = 1_600;
const mostOfParts = 1_000;
/** Bytes of all claims on one fact together. */
const mostClaimed = 800;
const shortText = 8;
const mostKnown = 24;

/** Adds a claim made at a rung. `identity`: what makes two values the same (default: the whole value). */
export function claim<T>(
  fact: Fact<T> | null,
  rung: number,
  made: Made<T>,
  identity: unknown = made.value,
): Fact<T> {
  const key = fingerprint(identity);
  const added: Claim<T> = {
    ...made,
    value: fitToBytes(made.value, typeof made.value === 'string' ? mostOfText : mostOfParts),
    key,
    heardAt: made.at,
  };
  if (fact === null) return { rung, claims: [added], known: [key] };
  const known = fact.known.includes(key) ? fact.known : [...fact.known, key].slice(-mostKnown);
  if (rank(rung) < rank(fact.rung)) return { ...fact, known };
  if (rank(rung) > rank(fact.rung)) {
    return { rung, claims: [added], known, ...(fact.shown !== undefined && { shown: fact.shown }) };
  }
  if (fact.overruled?.includes(key)) return fact;
  const same = fact.claims.find((one) => one.key === key);
  const merged = same === undefined ? added : merge(same, added);
  const others = fact.claims.filter((one) => one !== same);
  const newest = newestLast([...others, merged]).slice(-mostClaims);
  const claims = withinBudget(newest, mostClaimed, (one) => bytesOf(one.value), shorten);
  return { ...fact, claims, known };
}

/** The value that would be current is the last: it is never dropped and never cut for the sake of another. */
function newestLast<T>(claims: readonly Claim<T>[]): Claim<T>[] {
  const isDated = claims.every((one) => !isReported(one.grade) || one.changedAt !== null);
  return claims.toSorted(
    (a, b) =>
      Number(isReported(a.grade)) - Number(isReported(b.grade)) ||
      (isDated ? (a.changedAt ?? 0) - (b.changedAt ?? 0) : 0) ||
      a.arrival - b.arrival,
  );
}

/** A person asserts a value: at this rung it overrules all known values (L13); later reports count again. */
export function overrule<T>(
  fact: Fact<T> | null,
  rung: number,
  made: Made<T>,
  identity: unknown = made.value,
): Fact<T> {
  const key = fingerprint(identity);
  const overruled = (fact?.known ?? []).filter((other) => other !== key);
  const known = [...overruled, key].slice(-mostKnown);
  return { rung, claims: [{ ...made, key, heardAt: made.at }], known, overruled };
}

/** Removes an older value itself, which is no longer shown; its report still counts (L13). */
function shorten<T>(one: Claim<T>): Claim<T> {
  return { ...one, value: cutTexts(one.value, shortText) };
}

function merge<T>(first: Claim<T>, again: Claim<T>): Claim<T> {
  const isStronger = grades.indexOf(again.grade) < grades.indexOf(first.grade);
  const stronger = isStronger ? again : first;
  return {
    ...stronger,
    value: again.arrival < first.arrival ? first.value : again.value,
    changedAt: latest(first.changedAt, again.changedAt),
    arrival: Math.max(first.arrival, again.arrival),
    heardAt: Math.max(first.heardAt, again.heardAt),
  };
}

/**
 * What is left of a fact where one report of its rung is read again as another value: what only that report
 * stated is removed.
 */
export function withdraw<T>(fact: Fact<T>, source: string, identity: unknown): Fact<T> | null {
  const key = fingerprint(identity);
  const isWithdrawn = (one: Claim<T>) =>
    one.grade === 'observed' && one.source === source && one.at === one.heardAt && one.key !== key;
  const gone = fact.claims.filter(isWithdrawn).map((one) => one.key);
  if (gone.length === fact.claims.length) return null;
  return {
    ...fact,
    claims: fact.claims.filter((one) => !isWithdrawn(one)),
    known: fact.known.filter((one) => !gone.includes(one)),
  };
}

/**
 * The arrival number of a report that is applied later than it was received, when an operator replays an event:
 * just before the first report that was received after it, or in the same millisecond and stored after it.
 * @param arrivals the number of a report that arrives now
 */
export function arrivalOf(
  reports: readonly Pick<Claim<unknown>, 'arrival' | 'heardAt' | 'source'>[],
  { receivedAt, inboxId }: { receivedAt: Instant; inboxId: number },
  arrivals: number,
): number {
  const later = reports.filter(
    ({ heardAt, source }) => heardAt > receivedAt || (heardAt === receivedAt && Number(source) > inboxId),
  );
  return later.length === 0 ? arrivals : Math.min(...later.map(({ arrival }) => arrival)) - 0.5;
}

export function latest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}

/** The current value of a fact (L03, L07, L13). */
export function current<T>(fact: Fact<T> | null): Current<T> | null {
  if (fact === null) return null;
  const claims = undecided(fact.claims, fact.shown);
  const [only, rival] = claims;
  if (only !== undefined && rival === undefined) return believe(only, fact, []);
  const reported = claims.filter((one) => isReported(one.grade));
  const rivals = reported.length > 0 ? reported : claims;
  const dated = orderedByChange(rivals);
  const newest = dated ?? newestArrival(rivals);
  return newest === undefined ? null : believe(newest, fact, dated === undefined ? rivals : []);
}

/** L13: without values reported only before the platform's schedule showed another of them. */
export function undecided<T>(claims: Claim<T>[], shown: Shown | undefined): Claim<T>[] {
  if (shown === undefined || !claims.some(({ key }) => key === shown.key)) return claims;
  return claims.filter(({ key, heardAt }) => key === shown.key || heardAt > shown.at);
}

/** Reported by a callback or a person: stronger than what we only sent. */
function isReported(grade: Grade): boolean {
  return grade !== 'commanded' && grade !== 'inferred';
}

/** The newest by `changedAt`, where all have one and the newest is of one value alone. */
function orderedByChange<T>(rivals: Claim<T>[]): Claim<T> | undefined {
  const last = rivals.reduce<Instant | null>((top, one) => latest(top, one.changedAt), null);
  const atLast = rivals.filter((one) => one.changedAt === last);
  return rivals.every((one) => one.changedAt !== null) && atLast.length === 1 ? atLast[0] : undefined;
}

export function newestArrival<T>(claims: Claim<T>[]): Claim<T> | undefined {
  return claims.reduce<Claim<T> | undefined>(
    (top, one) => (top === undefined || one.arrival > top.arrival ? one : top),
    undefined,
  );
}

/** Wraps the chosen claim; more than one rival makes it ambiguous since the second came. */
export function believe<T>(
  chosen: Claim<T>,
  fact: Pick<Fact<T>, 'known' | 'shown'>,
  rivals: readonly Claim<T>[],
): Current<T> {
  const { value } = chosen;
  const rest = { ambiguousSince: secondOf(rivals), changes: fact.known.length - 1 };
  return { value, ...gradeOf(chosen, fact.shown), ...rest };
}

/** L19: a value that only the platform's schedule shows has the schedule as its source. */
function gradeOf(
  { key, grade, source, at }: Claim<unknown>,
  shown: Shown | undefined,
): Pick<Current<unknown>, 'grade' | 'source' | 'at' | 'from'> {
  if (grade === 'observed' || shown?.key !== key) return { grade, source, at };
  return { grade: 'corroborated', source: `${shown.scheduleId}`, at: shown.at, from: 'schedule' };
}

/** When the second of several values came; null where there are no two. */
function secondOf(rivals: readonly Claim<unknown>[]): Instant | null {
  return rivals.map((one) => one.at).sort((a, b) => a - b)[1] ?? null;
}
