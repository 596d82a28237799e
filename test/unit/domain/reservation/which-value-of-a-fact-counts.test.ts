import { describe, expect, it } from 'vitest';
import {
  type Claim,
  claim,
  current,
  type Fact,
  latest,
  newestArrival,
  overrule,
  undecided,
} from '../../../../src/domain/reservation/facts.js';
import { fingerprint } from '../../../../src/domain/shared/hash.js';
import { hour, minute, origin } from '../../../support/reservation-story.js';

type Report = Partial<Omit<Claim<string>, 'value' | 'key'>>;

/** A fact to which these values were reported, each with a later arrival, at rung 10 where none is given. */
function factOf(...reports: [value: string, parts?: Report & { rung?: number }][]): Fact<string> {
  const fact = reports.reduce<Fact<string> | null>((known, [value, { rung = 10, ...parts } = {}], index) => {
    const made = { grade: 'observed', source: `${index}`, at: origin + index, changedAt: null } as const;
    return claim(known, rung, { ...made, value, arrival: index + 1, ...parts });
  }, null);
  if (fact === null) throw new Error('no value');
  return fact;
}
const values = ({ claims }: Fact<string>) => claims.map(({ value }) => value);
const key = (value: string) => fingerprint(value);

describe('L03: values of different rungs', () => {
  it('a later rung replaces them, an earlier one is only known', () => {
    const later = factOf(['a'], ['b', { rung: 15 }]);
    expect(later).toMatchObject({ rung: 15, known: [key('a'), key('b')] });
    expect(values(later)).toEqual(['b']);
    const earlier = factOf(['a'], ['b', { rung: 5 }]);
    expect(earlier).toMatchObject({ rung: 10, known: [key('a'), key('b')] });
    expect(values(earlier)).toEqual(['a']);
    expect(current(earlier)).toMatchObject({ value: 'a', changes: 1, ambiguousSince: null });
  });

  it('the same value at a later rung is no change', () => {
    expect(current(factOf(['a'], ['a', { rung: 15 }]))).toMatchObject({
      value: 'a',
      changes: 0,
      source: '1',
    });
  });

  it('L19: what the schedule showed stays through a later rung, and appears in none without it', () => {
    const shown = { key: key('b'), scheduleId: 77, at: origin };
    const claimed = { grade: 'commanded', source: 'c', at: origin, changedAt: null, arrival: 2 } as const;
    const next = claim({ ...factOf(['a']), shown }, 15, { ...claimed, value: 'b' });
    expect(next.shown).toEqual(shown);
    expect(current(next)).toMatchObject({ grade: 'corroborated', source: '77', from: 'schedule' });
    expect(factOf(['a'], ['b', { rung: 15 }])).not.toHaveProperty('shown');
  });
});

describe('L13: one value reported twice', () => {
  const twice = (first: Report, again: Report) => factOf(['a', first], ['a', again]).claims;

  it('is one claim, with the newest date, arrival and receipt', () => {
    expect(twice({ changedAt: origin + 5 }, { changedAt: origin + 3 })).toEqual([
      {
        value: 'a',
        key: key('a'),
        grade: 'observed',
        source: '0',
        at: origin,
        changedAt: origin + 5,
        arrival: 2,
        heardAt: origin + 1,
      },
    ]);
    expect(twice({ at: origin + minute, arrival: 9 }, { at: origin })).toMatchObject([
      { arrival: 9, heardAt: origin + minute, at: origin + minute },
    ]);
    expect(twice({ changedAt: origin }, { changedAt: origin + 1 })).toMatchObject([
      { changedAt: origin + 1 },
    ]);
  });

  it.each([
    ['commanded', 'observed', 'observed', '1'],
    ['observed', 'commanded', 'observed', '0'],
    ['observed', 'observed', 'observed', '0'],
    ['asserted', 'commanded', 'asserted', '0'],
  ] as const)('%s and %s: has the stronger grade with its source', (one, other, grade, source) => {
    expect(twice({ grade: one }, { grade: other })).toMatchObject([{ grade, source }]);
  });

  it('of a value that is more than its identity the newest is shown', () => {
    const claimed = { grade: 'observed', source: '1', at: origin, changedAt: null } as const;
    const cars = (first: number, again: number) => {
      const known = claim(null, 10, { ...claimed, value: { id: 12, number: 'old' }, arrival: first }, 12);
      return claim(known, 10, { ...claimed, value: { id: 12, number: 'new' }, arrival: again }, 12);
    };
    expect(cars(1, 2).claims[0]?.value.number).toBe('new');
    expect(cars(2, 2).claims[0]?.value.number).toBe('new');
    expect(cars(3, 2).claims[0]?.value.number).toBe('old');
  });
});

describe('L13: which of several values of one rung is current', () => {
  it('the newest arrival, and both are in doubt since the second came', () => {
    expect(current(factOf(['a'], ['b'], ['c']))).toEqual({
      value: 'c',
      grade: 'observed',
      source: '2',
      at: origin + 2,
      ambiguousSince: origin + 1,
      changes: 2,
    });
    const reversed = factOf(['a', { at: origin + hour }], ['b', { at: origin + minute }], ['c']);
    expect(current(reversed)?.ambiguousSince).toBe(origin + minute);
  });

  it('of two that arrived as one, the first stored is current', () => {
    expect(current(factOf(['a', { arrival: 7 }], ['b', { arrival: 7 }]))?.value).toBe('a');
  });

  it('an older arrival that is applied later is not current', () => {
    expect(current(factOf(['a', { arrival: 5 }], ['b']))?.value).toBe('a');
  });

  it.each<[string, number | null, number | null, string, number | null]>([
    ['the later date counts', 2, 1, 'a', null],
    ['the later date counts, in order', 1, 2, 'b', null],
    ['equal dates order nothing', 1, 1, 'b', origin + 1],
    ['one date orders nothing', 1, null, 'b', origin + 1],
    ['one date orders nothing, in reverse', null, 1, 'b', origin + 1],
  ])('%s', (_, first, second, value, ambiguousSince) => {
    expect(current(factOf(['a', { changedAt: first }], ['b', { changedAt: second }]))).toMatchObject({
      value,
      ambiguousSince,
    });
  });

  it('what a callback or a person reported wins over what we sent or what is implied', () => {
    for (const grade of ['commanded', 'inferred'] as const)
      expect(current(factOf(['a'], ['b', { grade }]))).toMatchObject({ value: 'a', ambiguousSince: null });
    for (const grade of ['asserted', 'corroborated'] as const)
      expect(current(factOf(['a'], ['b', { grade }]))).toMatchObject({
        value: 'b',
        ambiguousSince: origin + 1,
      });
    const sent = { grade: 'commanded' } as const;
    expect(current(factOf(['a', sent], ['b', sent]))).toMatchObject({ value: 'b', grade: 'commanded' });
  });

  it('a fact without a value has none', () => {
    expect(current(null)).toBeNull();
    expect(current({ rung: 10, claims: [], known: [] })).toBeNull();
    expect(newestArrival([])).toBeUndefined();
  });
});

describe('L13, L19: what the schedule shows', () => {
  const fact = factOf(['a'], ['b'], ['c']);
  const shows = (value: string, at: number) =>
    undecided(fact.claims, { key: key(value), scheduleId: 77, at }).map((one) => one.value);

  it('removes other values that were received until the reading, and none where it shows another', () => {
    expect(shows('a', origin + 2)).toEqual(['a']);
    expect(shows('a', origin + 1)).toEqual(['a', 'c']);
    expect(shows('c', origin)).toEqual(['b', 'c']);
    expect(shows('d', origin + hour)).toEqual(['a', 'b', 'c']);
    expect(undecided(fact.claims, undefined)).toEqual(fact.claims);
  });

  it('makes corroborated what no callback reported, and observed stays', () => {
    const believed = (grade: 'observed' | 'commanded', value = 'a') => {
      const shown = { key: key(value), scheduleId: 77, at: origin + hour };
      return current({ ...factOf(['a', { grade }]), shown });
    };
    expect(believed('observed')).toMatchObject({ grade: 'observed', source: '0', at: origin });
    expect(believed('observed')).not.toHaveProperty('from');
    expect(believed('commanded', 'b')).toMatchObject({ grade: 'commanded', source: '0' });
    expect(believed('commanded')).toMatchObject({
      grade: 'corroborated',
      source: '77',
      at: origin + hour,
      from: 'schedule',
    });
  });
});

describe('L13: what a person asserts', () => {
  const claimed = {
    grade: 'asserted',
    source: 'kim',
    at: origin + minute,
    changedAt: null,
    arrival: 3,
  } as const;

  it('sets aside every other value that was known', () => {
    const fact = overrule(factOf(['a'], ['b']), 15, { ...claimed, value: 'b' });
    expect(fact).toEqual({
      rung: 15,
      claims: [{ ...claimed, value: 'b', key: key('b'), heardAt: origin + minute }],
      known: [key('a'), key('b')],
      overruled: [key('a')],
    });
  });

  it('of a value that was set aside no later report counts, of another one it does', () => {
    const fact = overrule(factOf(['a']), 10, { ...claimed, value: 'b' });
    const again = { ...claimed, grade: 'observed', arrival: 4 } as const;
    expect(claim(fact, 10, { ...again, value: 'a' })).toBe(fact);
    expect(current(claim(fact, 10, { ...again, value: 'c' }))?.value).toBe('c');
    expect(current(claim(fact, 15, { ...again, value: 'a' }))?.value).toBe('a');
  });

  it('of a fact that nothing reported it sets nothing aside', () => {
    expect(overrule(null, 0, { ...claimed, value: 'b' })).toMatchObject({ known: [key('b')], overruled: [] });
  });
});

it('of two instants the later counts, and one that is known before none', () => {
  expect([latest(1, 2), latest(2, 1), latest(null, 1), latest(1, null), latest(null, null)]).toEqual([
    2,
    2,
    1,
    1,
    null,
  ]);
});

describe('L60: which values of one fact stay whole', () => {
  const long = (letter: string) => letter.repeat(500);
  const cut = (fact: Fact<string>) => fact.claims.map(({ value }) => [value[0], value.length]);

  it('the one that is current: of dated ones the last date, of others the last arrival', () => {
    const dated = factOf([long('a'), { changedAt: origin + 2 }], [long('b'), { changedAt: origin + 1 }]);
    expect(cut(dated)).toEqual([
      ['b', 8],
      ['a', 500],
    ]);
    const half = factOf([long('a'), { changedAt: origin + 2 }], [long('b')]);
    expect(cut(half)).toEqual([
      ['a', 8],
      ['b', 500],
    ]);
    const late = factOf([long('a'), { arrival: 5 }], [long('b')]);
    expect(cut(late)).toEqual([
      ['b', 8],
      ['a', 500],
    ]);
  });

  it('what was reported before what we sent, which has no date and unsettles none', () => {
    const sent = { grade: 'commanded' } as const;
    const fact = factOf(
      [long('a'), { changedAt: origin + 2 }],
      [long('b'), { changedAt: origin + 1 }],
      [long('c'), sent],
    );
    expect(cut(fact)).toEqual([
      ['c', 8],
      ['b', 8],
      ['a', 500],
    ]);
  });
});
