import {
  type Asking,
  applyStepAnswer,
  type ChangeHold,
  changeHold,
  type Doing,
  decideHold,
  type EndHold,
  type HoldRequest,
  type HoldState,
  type HoldStep,
  holdFacts,
  holdView,
  newHold,
  releaseHold,
  resolveHold,
  type ScheduleEntry,
  type StepAnswers,
  type StepEnd,
} from '../../src/domain/hold/index.js';
import type { Period } from '../../src/domain/shared/time.js';
import { read } from './sentences.js';

/**
 * What a request to the platform meets. `lost`: done, and the answer does not come; `late`: an entry that comes to
 * be only when it is asked for again; `vanished`: not done, and no answer comes.
 */
export type Fate = 'taken' | 'lost' | 'late' | 'vanished' | 'refused' | 'busy';
/** Of those that any request may meet. */
export const fates: readonly Fate[] = ['taken', 'lost', 'vanished', 'refused', 'busy'];

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;
export const zone = 540;
/** 2026-11-21T00:00:00Z */
export const midnight = Date.UTC(2026, 10, 21);
const carId = 1001;
/** Of a person's request; a release of `release` has another. */
export const command = { commandId: 'c-1', by: 'lee' };

export const many = (fate: Fate, count = 500) => Array<Fate>(count).fill(fate);
/** Of a refusal; null: not refused. */
export const codeOf = (answer: object | null) => (answer !== null && 'code' in answer ? answer.code : answer);
/** An hour after its request: in place, and begun. */
export const placed = (changes: Partial<HoldRequest> = {}) => new HoldWorld(changes).run(midnight + hour);

function request(changes: Partial<HoldRequest> = {}): HoldRequest {
  return {
    holdId: 'h-1',
    carId,
    period: { start: midnight, end: midnight + 2 * day },
    reason: 'maintenance',
    withdrawFromSale: true,
    reservationId: null,
    by: 'kim',
    mark: 'mark',
    ...changes,
  };
}

/** The platform as it truly is, a clock, and one hold that lives in it: in milliseconds, without an engine. */
export class HoldWorld {
  now: number;
  state: HoldState;
  entries: ScheduleEntry[] = [];
  memos: string[] = [];
  /** Of the car, by product. */
  readonly sale = new Map<number, 'Y' | 'N'>();
  /** The steps that were done, in their order. */
  readonly steps: HoldStep[] = [];
  /** What the next requests meet, in their order; after them every one is taken. */
  fates: Fate[] = [];
  /** Codes of refusals; `REFUSED` if absent. */
  refusal = 'REFUSED';
  /** Products that the platform refuses to read, or to set, for reasons of their own. */
  readonly unread = new Set<number>();
  readonly unset = new Set<number>();
  /** Why products, and entries of the schedule, cannot be read, one for each. */
  readonly unlisted: string[] = [];
  readonly hidden: string[] = [];
  /** Why the answer about the car cannot be read. */
  unreadable: string | undefined;
  /** What the platform makes of the words of a reason. */
  rewrite = (reason: string) => reason;
  /** Holds that still give back, at the next questions. */
  readonly before: string[] = [];
  /** How many there were. */
  requests = 0;
  private lastId = 500;
  private late: (() => unknown) | undefined;

  constructor(
    changes: Partial<HoldRequest> = {},
    products: [number, 'Y' | 'N'][] = [
      [301, 'Y'],
      [302, 'N'],
      [303, 'Y'],
    ],
  ) {
    this.now = midnight;
    this.state = newHold(request(changes), zone, this.now);
    for (const [productId, saleYn] of products) this.sale.set(productId, saleYn);
  }

  reserve(period: Period): number {
    return this.enter({ type: 'R', reason: 'reservation', ...period });
  }
  enter(entry: Omit<ScheduleEntry, 'scheduleId'>): number {
    this.lastId += 1;
    this.entries.push({ scheduleId: this.lastId, ...entry, reason: this.rewrite(entry.reason) });
    return this.lastId;
  }

  get own(): ScheduleEntry[] {
    return this.entries.filter(({ reason }) => reason.endsWith(`[hold ${this.state.request.holdId}]`));
  }
  get facts() {
    return holdFacts(this.state, this.now);
  }
  /** As a person reads it. */
  get view() {
    return read(holdView(this.state, this.now));
  }
  done<D extends HoldStep['do']>(what: D): Doing<D>[] {
    return this.steps.filter((step): step is Doing<D> => step.do === what);
  }

  change(input: Partial<ChangeHold>): this {
    this.state = changeHold(this.state, { ...command, ...input }, this.now);
    return this;
  }
  release(input: Partial<EndHold> = {}): this {
    this.state = releaseHold(this.state, { commandId: 'r-1', by: 'lee', reason: null, ...input }, this.now);
    return this;
  }
  resolve(reason = 'put right by hand'): this {
    this.state = resolveHold(this.state, { ...command, reason }, this.now);
    return this;
  }
  /** The next requests meet these; a refusal has this code. */
  refusing(code: string, ...fates: Fate[]): this {
    this.refusal = code;
    this.fates = fates;
    return this;
  }

  /** Until its next step is this one. */
  runTo(step: HoldStep['do']): this {
    for (let count = 0; count < 50; count++) {
      if (decideHold(this.state, this.now).step.do === step) return this;
      this.run(midnight + 2 * day, this.steps.length + 1);
    }
    throw new Error(`no ${step}`);
  }

  /**
   * Until the hold waits for `until` or later, is over, or has done so many steps in all; time passes only while it waits.
   */
  run(until = this.now, stopAfter = Number.POSITIVE_INFINITY): this {
    for (let count = 0; count < 2_000; count++) {
      if (this.steps.length >= stopAfter) return this;
      const { state, step } = decideHold(this.state, this.now);
      this.state = state;
      if (step.do === 'end') {
        this.now = Math.max(this.now, until);
        return this;
      }
      if (step.do === 'wait') {
        if (step.until > until) {
          this.now = Math.max(this.now, until);
          return this;
        }
        this.now = Math.max(step.until, this.now + 1);
        continue;
      }
      this.steps.push(step);
      this.state = this.perform(step.do, step);
    }
    throw new Error(`the hold never rests: ${this.steps.slice(-5).map((step) => step.do)}`);
  }

  private perform<A extends Asking>(asked: A, step: Doing<A>): HoldState {
    const answer = this.effects[asked](step as never) as StepAnswers[A];
    return applyStepAnswer(this.state, asked, step, answer, this.now);
  }

  /** One request: what it meets, and whether the platform acts. */
  private send<T>(act: () => StepEnd<T>): StepEnd<T> {
    this.now += 50;
    this.requests += 1;
    const fate = this.fates.shift() ?? 'taken';
    switch (fate) {
      case 'taken':
        return act();
      case 'lost':
        act();
        this.now += 12 * second;
        return { outcome: 'unknown', code: 'TIMEOUT' };
      case 'late':
        this.late = act;
        this.now += 12 * second;
        return { outcome: 'unknown', code: 'TIMEOUT' };
      case 'vanished':
        this.now += 12 * second;
        return { outcome: 'unknown', code: 'TIMEOUT' };
      case 'busy':
        return { outcome: 'rejected', code: 'RATE_LIMITED', message: 'later' };
      case 'refused':
        return { outcome: 'rejected', code: this.refusal, message: 'no' };
    }
  }

  private readonly effects: { [A in Asking]: (step: Doing<A>) => StepAnswers[A] } = {
    'read-car': () =>
      this.send(() =>
        this.unreadable === undefined
          ? { outcome: 'applied', value: { carNumber: 'car' } }
          : { outcome: 'unknown', code: 'UNREADABLE', message: this.unreadable },
      ),
    'add-entry': ({ period, reason }) =>
      this.send(() => {
        const { late } = this;
        this.late = undefined;
        late?.();
        if (this.isTaken(period)) return e011;
        return { outcome: 'applied', value: { scheduleId: this.enter({ type: 'S', reason, ...period }) } };
      }),
    'read-schedules': () =>
      this.send(() => ({
        outcome: 'applied',
        value: [...this.entries.map((one) => ({ ...one })), ...this.hidden.map((unread) => ({ unread }))],
      })),
    'change-entry': ({ scheduleId, period, reason }) =>
      this.send(() => {
        const entry = this.entries.find((one) => one.scheduleId === scheduleId);
        if (entry === undefined) return notFound;
        if (this.isTaken(period, scheduleId)) return e011;
        Object.assign(entry, { ...period, reason });
        return { outcome: 'applied', value: {} };
      }),
    'delete-entry': ({ scheduleId }) =>
      this.send(() => {
        if (!this.entries.some((one) => one.scheduleId === scheduleId)) return notFound;
        this.entries = this.entries.filter((one) => one.scheduleId !== scheduleId);
        return { outcome: 'applied', value: {} };
      }),
    'look-at-entry': ({ scheduleId }) =>
      this.send(() => {
        const entry = this.entries.find((one) => one.scheduleId === scheduleId);
        if (entry === undefined) return notFound;
        return {
          outcome: 'applied',
          value: { period: { start: entry.start, end: entry.end }, reason: entry.reason },
        };
      }),
    'write-memo': ({ content }) => {
      const end = this.send<object>(() => {
        this.memos.push(content);
        return { outcome: 'applied', value: {} };
      });
      // the writer of memos reads the memos itself: an unknown outcome means that they could not be read
      if (end.outcome === 'rejected') return end;
      if (end.outcome === 'unknown' && !this.memos.includes(content))
        return { outcome: 'unknown', code: end.code };
      return { outcome: 'applied', memoId: this.memos.length };
    },
    'ask-turn': () => ({ outcome: 'applied', value: { holdId: this.before.shift() ?? null } }),
    'list-products': () =>
      this.send(() => ({
        outcome: 'applied',
        value: [...this.sale.keys(), ...this.unlisted.map((unread) => ({ unread })), 900],
      })),
    'look-in-products': ({ productIds }) =>
      productIds.map((productId) => {
        const saleYn = this.sale.get(productId);
        const value = saleYn === undefined ? null : { saleYn };
        const answer = this.unread.has(productId) ? e500 : { outcome: 'applied' as const, value };
        return { productId, answer: this.send(() => answer) };
      }),
    'set-sale': ({ productIds, saleYn }) =>
      productIds.map((productId) => ({
        productId,
        answer: this.send<object>(() => {
          if (!this.sale.has(productId)) return notFound;
          if (this.unset.has(productId)) return e500;
          this.sale.set(productId, saleYn);
          return { outcome: 'applied', value: {} };
        }),
      })),
  };

  private isTaken(period: Period, own?: number): boolean {
    return this.entries.some(
      (other) => other.scheduleId !== own && other.start < period.end && period.start < other.end,
    );
  }
}

const e011 = { outcome: 'rejected', code: 'E011', message: 'overlaps' } as const;
const e500 = { outcome: 'rejected', code: 'UNREADABLE', message: 'no' } as const;
const notFound = { outcome: 'rejected', code: 'NOT_FOUND', message: 'nothing' } as const;
