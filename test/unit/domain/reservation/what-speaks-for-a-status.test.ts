import { describe, expect, it } from 'vitest';
import type { ReservationState, StatusReport } from '../../../../src/domain/reservation/state.js';
import {
  firstReportedAt,
  impliesReached,
  isOverruled,
  presentStatus,
  reachedAt,
  type StatusSource,
  shownByCallbacks,
  statusBelief,
  strongestReport,
  witness,
} from '../../../../src/domain/reservation/status-evidence.js';
import { minute, origin, Story } from '../../../support/reservation-story.js';

const report = (at: number, changedAt: number | null = null, source = 'first'): StatusReport => ({
  source,
  at,
  changedAt,
});
type Report = [code: number, source: StatusSource, report?: StatusReport];

/** A state with this evidence of its status alone. */
function stateOf(...reports: Report[]): ReservationState {
  return reports.reduce(
    (state, [code, source, reported = report(origin)]) => witness(state, code, source, reported),
    new Story().state,
  );
}

describe('L01-L04: the evidence of a status', () => {
  it('of two reports by one source the first receipt, its source and the newest date of change count', () => {
    const early = report(origin, origin + 1, 'early');
    const late = report(origin + minute, origin + 2, 'late');
    const joined = (first: StatusReport, second: StatusReport) =>
      stateOf([10, 'observed', first], [10, 'observed', second]).statuses;
    const none = { asserted: null, commanded: null, inferred: null };
    expect(joined(early, late)).toEqual([
      { code: 10, observed: { source: 'early', at: origin, changedAt: origin + 2 }, ...none },
    ]);
    expect(joined(late, early)).toEqual([
      { code: 10, observed: { source: 'late', at: origin, changedAt: origin + 2 }, ...none },
    ]);
    expect(joined(report(origin), early)[0]?.observed?.changedAt).toBe(origin + 1);
  });

  it('each source has its own report, and the codes rise', () => {
    const { statuses } = stateOf([20, 'observed'], [5, 'commanded'], [10, 'inferred'], [5, 'asserted']);
    expect(statuses.map(({ code }) => code)).toEqual([5, 10, 20]);
    expect(statuses[0]).toMatchObject({ observed: null, asserted: {}, commanded: {}, inferred: null });
    expect(statuses[1]).toMatchObject({ observed: null, asserted: null, commanded: null, inferred: {} });
  });

  it('L10: a status that was set aside counts again once it has new evidence, and no other does', () => {
    const state = {
      ...stateOf(),
      overruled: [
        { code: 45, at: origin },
        { code: 40, at: origin },
      ],
    };
    expect(witness(state, 45, 'observed', report(origin)).overruled).toEqual([{ code: 40, at: origin }]);
  });
});

it.each<[string, 'is overruled' | 'counts', { status?: number; changedAt?: number }]>([
  ['of it without a date', 'is overruled', { status: 45 }],
  ['of it with an earlier date', 'is overruled', { status: 45, changedAt: origin - 1 }],
  ['of it with the date of the decision', 'is overruled', { status: 45, changedAt: origin }],
  ['of it with a later date', 'counts', { status: 45, changedAt: origin + 1 }],
  ['of another status', 'counts', { status: 40 }],
  ['of no status', 'counts', {}],
])('L10: after a decision set a status aside, a report %s %s', (_, expected, event) => {
  const state = { ...stateOf(), overruled: [{ code: 45, at: origin }] };
  expect(isOverruled(state, event)).toBe(expected === 'is overruled');
});

describe('what the evidence of the statuses amounts to', () => {
  it('nothing where there is none', () => {
    expect(presentStatus(stateOf())).toBeNull();
    expect(statusBelief(stateOf())).toEqual({
      code: null,
      grade: null,
      since: null,
      terminal: false,
      reached: {},
      contradictions: [],
      conflicts: [],
    });
  });

  it('L04: the latest status with its strongest grade, and each one that it implies', () => {
    const state = stateOf([5, 'observed'], [15, 'commanded', report(origin + 2)], [15, 'asserted']);
    expect(presentStatus(state)).toBe(15);
    expect(statusBelief(state)).toEqual({
      code: 15,
      grade: 'asserted',
      since: origin,
      terminal: false,
      reached: { 5: 'observed', 15: 'asserted', 10: 'inferred' },
      contradictions: [],
      conflicts: [],
    });
  });

  it('L08, L09: a terminal next to a status that it excludes is a contradiction, next to a terminal a conflict', () => {
    const { terminal, contradictions, conflicts } = statusBelief(
      stateOf([20, 'observed'], [35, 'observed'], [40, 'observed'], [45, 'observed']),
    );
    expect(terminal).toBe(true);
    expect(contradictions).toEqual([
      [20, 40],
      [20, 45],
    ]);
    expect(conflicts).toEqual([
      [35, 40],
      [35, 45],
    ]);
  });

  it('L10: two statuses that exclude each other, neither of them terminal, are a conflict', () => {
    const table = { fromStates: { '10': [5], '15': [5], '20': [15] } };
    const state = [10, 15].reduce(
      (known, code) => witness(known, code, 'observed', report(origin)),
      new Story(table).state,
    );
    expect(statusBelief(state)).toMatchObject({ contradictions: [], conflicts: [[10, 15]] });
  });
});

describe('reports of one status', () => {
  const sources = ['observed', 'asserted', 'commanded', 'inferred'] as const;

  it.each(sources.map((source, index) => [source, sources.slice(index)] as const))(
    'the strongest is %s, in whatever order they came',
    (source, weaker) => {
      const reports = weaker.map((one): Report => [10, one, report(origin, null, `by ${one}`)]);
      for (const order of [reports, reports.toReversed()])
        expect(strongestReport(stateOf([5, 'observed'], ...order), 10)).toEqual({
          ...report(origin, null, `by ${source}`),
          grade: source,
        });
    },
  );
  it('there is none of a status that is only implied', () => {
    expect(strongestReport(stateOf([15, 'observed']), 10)).toBeNull();
  });

  it('it was reached when the platform says so, else when the first report came', () => {
    const dated = stateOf(
      [10, 'commanded', report(origin)],
      [10, 'observed', report(origin + 2, origin + 1)],
    );
    expect(reachedAt(dated, 10)).toBe(origin + 1);
    const undated = stateOf([10, 'observed', report(origin + 3)], [10, 'commanded', report(origin + 2)]);
    expect(reachedAt(undated, 10)).toBe(origin + 2);
    expect([15, null].map((code) => reachedAt(undated, code))).toEqual([null, null]);
  });

  it('the first report came when any source reported it first, by our clock', () => {
    const state = stateOf([10, 'observed', report(origin + 3, origin)], [10, 'inferred', report(origin + 2)]);
    expect(firstReportedAt(state, 10)).toBe(origin + 2);
    expect(firstReportedAt(state, 15)).toBeNull();
  });

  it('L04: the lowest status with evidence that implies it', () => {
    const state = stateOf([5, 'observed'], [30, 'observed'], [20, 'observed']);
    expect([5, 10, 15, 20, 30].map((code) => impliesReached(state, code))).toEqual([20, 20, 20, 30, null]);
  });

  it('L46: callbacks show it where they report it or a status that implies it, and commands never do', () => {
    const shown = (...reports: Report[]) =>
      [5, 10, 15, 20].filter((code) => shownByCallbacks(stateOf(...reports), code));
    expect(shown([15, 'observed'])).toEqual([5, 10, 15]);
    expect(shown([15, 'commanded'], [5, 'observed'])).toEqual([5]);
  });
});
