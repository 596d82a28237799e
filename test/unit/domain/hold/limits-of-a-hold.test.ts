import { describe, expect, it } from 'vitest';
import { changedPeriod, isEditable } from '../../../../src/domain/hold/check.js';
import { finishHold, leftOf } from '../../../../src/domain/hold/decide.js';
import {
  applyStepAnswer,
  changeHold,
  checkChange,
  checkRelease,
  checkResolve,
  decideHold,
  type HoldState,
  holdView,
  newPeriod,
  releaseHold,
  resolveHold,
  standingAmong,
} from '../../../../src/domain/hold/index.js';
import {
  codeOf,
  command,
  day,
  HoldWorld,
  hour,
  many,
  midnight,
  minute,
  placed,
  second,
  zone,
} from '../../../support/hold-world.js';

const now = midnight;
/** Each request of the test platform that is answered takes this long, one that is not takes `unanswered`. */
const answered = 50;
const unanswered = answered + 12 * second;

/** How long after the one before each of the next steps ended. */
function distances(world: HoldWorld, count: number): number[] {
  const first = world.steps.length;
  return Array.from({ length: count }, (_, index) => {
    const before = world.now;
    return world.run(midnight + 300 * day, first + index + 1).now - before;
  });
}

describe('F01: the bounds of a period', () => {
  const accepted = (period: { start: number; end: number }) => codeOf(newPeriod(period, now));
  it.each([
    ['starts 15 minutes ago', { start: now - 15 * minute, end: now + hour }, undefined],
    ['starts earlier', { start: now - 15 * minute - 1, end: now + hour }, 'HOLD_IN_PAST'],
    ['ends in 731 days', { start: now, end: now + 731 * day }, undefined],
    ['ends later than in 731 days', { start: now, end: now + 731 * day + 1 }, 'HOLD_TOO_FAR'],
    ['lasts one second', { start: now, end: now + second }, undefined],
    ['lasts less than a second', { start: now, end: now + second - 1 }, 'PERIOD_REVERSED'],
    ['ends now', { start: now - second, end: now }, 'HOLD_IN_PAST'],
  ])('a new hold that %s has the result: %j %s', (_, period, code) => {
    if (code === undefined) expect(newPeriod(period, now)).not.toHaveProperty('code');
    else expect(accepted(period)).toBe(code);
  });

  const was = { start: now - hour, end: now + hour };
  const ahead = { start: now + hour, end: now + 2 * hour };
  it.each([
    ['an end in 731 days is accepted', was, { end: now + 731 * day }, { ...was, end: now + 731 * day }],
    ['a later end is refused', was, { end: now + 731 * day + second }, 'HOLD_TOO_FAR'],
    ['an end that is now is refused', was, { end: now }, 'HOLD_IN_PAST'],
    ['an end a second from now is accepted', was, { end: now + second }, { ...was, end: now + second }],
    ['an end at its start is refused', ahead, { end: ahead.start }, 'PERIOD_REVERSED'],
    ['a start that is now is accepted', ahead, { start: now }, { start: now, end: ahead.end }],
    ['a start slightly past begins it now', ahead, { start: now - minute }, { start: now, end: ahead.end }],
    ['a start at its end is refused', ahead, { start: ahead.end }, 'PERIOD_REVERSED'],
    ['parts of a second is cut to whole seconds', ahead, { start: ahead.start + 999 }, ahead],
  ])('a change of a hold to %s', (_, before, change, expected) => {
    const period = changedPeriod(before, change, now);
    expect('code' in period ? period.code : period).toEqual(expected);
  });

  it.each(['2026-11-14T00:00:00+09:00', '2026-11-14T23:30:00+09:00'])(
    'F09: an entry that ended %s is edited until its end is seven dates back in the zone of the service (G40)',
    (end) => {
      const at = (now: string) => isEditable(Date.parse(end), Date.parse(now), zone);
      expect(at('2026-11-20T23:59:59+09:00')).toBe(true);
      expect(at('2026-11-21T00:00:00+09:00')).toBe(false);
    },
  );
});

describe('F12: the tries of a blocked step', () => {
  it('come after 5 s, 15 s, 1 min, 5 min, 15 min, and then each hour', () => {
    const world = placed({ withdrawFromSale: false }).release();
    world.fates = many('busy');
    const waits = [0, 5 * second, 15 * second, minute, 5 * minute, 15 * minute, hour, hour];
    expect(distances(world, 8)).toEqual(waits.map((ms) => ms + answered));
  });

  it('become an attention item at the third failure, dated from the first', () => {
    const world = placed({ withdrawFromSale: false }).release();
    world.fates = many('busy');
    const since = world.now + answered;
    const shown = [1, 2, 3].map(() => {
      world.run(midnight + day, world.steps.length + 1);
      return world.view.attention;
    });
    expect(shown).toEqual([
      [],
      [],
      [
        {
          kind: 'entry',
          since: new Date(since + 9 * hour).toISOString().replace('Z', '+09:00'),
          code: 'RATE_LIMITED',
          message: 'later',
          left: ['schedule/501'],
        },
      ],
    ]);
  });

  it('are made at once where staff release the hold again', () => {
    const world = placed({ withdrawFromSale: false }).release();
    world.fates = many('busy');
    distances(world, 5);
    world.release({ commandId: 'r-2' });
    expect(distances(world, 1)).toEqual([answered]);
  });
});

describe('F07: a request without an answer is followed by reads after 2 s and 15 s, then by the request again', () => {
  const reads = [2 * second + answered, 15 * second + answered];
  it.each<[string, () => HoldWorld, string[]]>([
    [
      'for a new entry',
      () => new HoldWorld({ withdrawFromSale: false }).run(now, 1),
      ['add-entry', 'read-schedules', 'read-schedules', 'add-entry'],
    ],
    [
      'for a changed entry',
      () => placed({ withdrawFromSale: false }).release(),
      ['change-entry', 'look-at-entry', 'look-at-entry', 'change-entry'],
    ],
    [
      'for a deleted entry',
      () =>
        placed({
          withdrawFromSale: false,
          period: { start: midnight + day, end: midnight + 2 * day },
        }).release(),
      ['delete-entry', 'look-at-entry', 'look-at-entry', 'delete-entry'],
    ],
  ])('%s', (_, world, names) => {
    const played = world();
    const before = played.steps.length;
    played.fates = ['vanished'];
    expect(distances(played, 4)).toEqual([unanswered, ...reads, answered]);
    expect(played.steps.slice(before).map((step) => step.do)).toEqual(names);
  });

  it('for an entry, also where the hold is released meanwhile', () => {
    const world = placed({ withdrawFromSale: false }).change({ end: midnight + 3 * day });
    world.fates = ['vanished'];
    world.run(world.now, world.steps.length + 1).release();
    expect(decideHold(world.state, world.now).step).toEqual({ do: 'wait', until: world.now + 2 * second });
  });

  it('for a sale status', () => {
    const world = new HoldWorld({}, [[301, 'Y']]).run(now, 5);
    expect(world.steps.at(-1)?.do).toBe('look-in-products');
    world.fates = ['vanished'];
    // the memo is written meanwhile
    expect(distances(world, 5)).toEqual([
      unanswered,
      answered,
      ...reads.map((ms, at) => ms - (at === 0 ? answered : 0)),
      answered,
    ]);
    expect(world.steps.slice(5).map((step) => step.do)).toEqual([
      'set-sale',
      'write-memo',
      'look-in-products',
      'look-in-products',
      'set-sale',
    ]);
  });
});

describe('F03: the turn of a hold', () => {
  it('is polled every 3 s, for at most 10 min from its start', () => {
    const world = new HoldWorld({ withdrawFromSale: true });
    world.before.push(...Array<string>(1_000).fill('h-0'));
    world.run(midnight + hour);
    // the first just after the start, for the entry is placed before
    expect(world.done('ask-turn')).toHaveLength(201);
    expect(world.done('ask-turn')[0]).toEqual({
      do: 'ask-turn',
      carId: 1001,
      holdId: 'h-1',
      before: midnight,
    });
  });

  it('is polled later where the answer names a wait, and has not come where there is no answer', () => {
    const world = new HoldWorld().run(now, 2);
    const step = { do: 'ask-turn', carId: 1001, holdId: 'h-1', before: midnight } as const;
    const answer = { outcome: 'unknown', code: 'TIMEOUT', againMs: 9 * second } as const;
    world.state = applyStepAnswer(
      decideHold(world.state, world.now).state,
      'ask-turn',
      step,
      answer,
      world.now,
    );
    world.run(world.now, 3);
    expect(world.steps.at(-1)?.do).toBe('write-memo');
    const until = world.now - answered + 9 * second;
    expect(decideHold(world.state, world.now).step).toEqual({ do: 'wait', until });
    expect(decideHold(world.state, until).step.do).toBe('ask-turn');
  });
});

describe('F06, F10: the moment decides how a hold ends', () => {
  it('a hold shorter than an hour is given up when its period is over', () => {
    const world = new HoldWorld({ period: { start: midnight, end: midnight + 30 * minute } });
    world.fates = many('busy');
    world.run(midnight + day);
    expect(world.state).toMatchObject({ end: 'refused', endedAt: midnight + 30 * minute });
  });

  it.each([
    [-1 * hour, 'delete-entry'],
    [59 * second, 'delete-entry'],
    [60 * second, 'change-entry'],
  ])('a hold released %i ms after its start ends its entry by %s', (after, step) => {
    const period = { start: midnight + 2 * hour, end: midnight + day };
    const world = new HoldWorld({ period, withdrawFromSale: false }).run(period.start + after).release();
    const at = world.now;
    world.run(at + hour);
    expect(world.steps.at(-1)).toMatchObject(
      step === 'delete-entry'
        ? { do: step, scheduleId: 501 }
        : {
            do: step,
            scheduleId: 501,
            carId: 1001,
            period: { start: period.start, end: at },
            reason: 'maintenance [hold h-1]',
          },
    );
    expect(world.state.end).toBe('released');
  });

  it('released within a second the entry ends with the second before', () => {
    const world = placed({ withdrawFromSale: false });
    world.now += 999;
    expect(world.release().run(world.now + hour).own).toMatchObject([{ end: midnight + hour }]);
  });

  it('released at its end or later the entry stays as history', () => {
    const world = placed({ withdrawFromSale: false });
    const { end } = world.state.period;
    world.state = releaseHold(world.state, { commandId: 'r-1', by: 'lee', reason: null }, end);
    expect(decideHold(world.state, end).step).toEqual({ do: 'end' });
  });

  it('no wait is longer than a day, nor passes the start or the end', () => {
    const period = { start: midnight + 3 * day, end: midnight + 5 * day };
    const world = new HoldWorld({ period, withdrawFromSale: false }).run(midnight + minute);
    const waits = (at: number) => decideHold(world.state, at).step;
    expect(waits(world.now)).toEqual({ do: 'wait', until: world.now + day });
    expect(waits(period.start - hour)).toEqual({ do: 'wait', until: period.start });
    world.run(period.start);
    expect(waits(period.end - hour)).toEqual({ do: 'wait', until: period.end });
  });
});

it('F03: a hold whose start is being moved later waits for the new start, not for the answer alone', () => {
  const period = { start: midnight + day, end: midnight + 3 * day };
  const { state } = placed({ period }).change({ start: period.start + hour });
  if (state.entry.kind !== 'placed') throw new Error(state.entry.kind);
  const { period: moved, reason } = state.change ?? state;
  const read = { code: 'TIMEOUT', looks: 1, lookAt: period.start + 2 * hour };
  const changing = {
    ...state,
    entry: { ...state.entry, kind: 'changing' as const, to: { period: moved, reason }, ...read },
  };
  const step = (at: number) => decideHold(changing, at).step;
  expect(step(period.start - 1)).toEqual({ do: 'wait', until: period.start });
  expect(step(period.start)).toEqual({ do: 'wait', until: period.start + hour });
});

it('F10: a hold that is being undone waits for its next try, and is released, whatever its period', () => {
  const world = placed({ withdrawFromSale: false }).run(midnight + 2 * day - 10 * minute);
  world
    .release()
    .refusing('RATE_LIMITED', ...many('refused'))
    .run(world.now + 7 * minute);
  const { nextAt } = world.state.troubles.entry ?? {};
  expect(nextAt).toBeGreaterThan(midnight + 2 * day);
  expect(decideHold(world.state, world.now).step).toEqual({ do: 'wait', until: nextAt });
  world.fates = [];
  expect(world.run(midnight + 2 * day + hour).state.end).toBe('released');
});

it.each([
  ['restored', { restored: 1, leftAlone: 0, leftInPlace: 0 }],
  ['changed', { restored: 0, leftAlone: 1, leftInPlace: 0 }],
  ['left', { restored: 0, leftAlone: 1, leftInPlace: 0 }],
  ['was-off', { restored: 0, leftAlone: 1, leftInPlace: 0 }],
  ['untouched', { restored: 0, leftAlone: 1, leftInPlace: 0 }],
  ['ours', { restored: 0, leftAlone: 0, leftInPlace: 1 }],
  ['restoring', { restored: 0, leftAlone: 0, leftInPlace: 1 }],
  ['setting', { restored: 0, leftAlone: 0, leftInPlace: 1 }],
] as const)('F12, F17: a stuck hold with a product that is %s reports %j', (kind, counts) => {
  const { state, now: later } = placed();
  const trouble = { code: 'E500', message: 'no', since: midnight, tries: 3, nextAt: null };
  const sale = { ...state.sale, products: [{ productId: 301, kind }] };
  const stuck: HoldState = { ...state, sale, troubles: { sale: trouble } };
  expect(leftOf(stuck)).toEqual(counts);
  const left = counts.leftInPlace === 1 ? ['product/301'] : [];
  expect(holdView(stuck, later).attention).toMatchObject([{ kind: 'sale-not-withdrawn', left }]);
});

it('a hold stores the outcomes of its newest 32 requests', () => {
  const world = placed({ withdrawFromSale: false });
  for (let count = 1; count <= 40; count++) {
    const input = { commandId: `c-${count}`, by: 'lee', end: midnight + 2 * day + count * minute };
    world.state = changeHold(world.state, input, world.now);
    world.run(world.now + second);
  }
  const ids = world.state.commands.map(({ commandId }) => commandId);
  expect(ids).toEqual(Array.from({ length: 32 }, (_, index) => `c-${index + 9}`));
});

describe('F09, F11, F13: why a request about a hold is refused', () => {
  const input = { commandId: 'c-1', by: 'lee', reason: 'x' };
  const checks = (world: HoldWorld, at = world.now) => ({
    change: codeOf(checkChange(world.state, { ...input, end: at + day }, at)),
    release: codeOf(checkRelease(world.state, input)),
    resolve: codeOf(checkResolve(world.state, input)),
  });
  const gone = () => {
    const world = placed({ period: { start: midnight + day, end: midnight + 2 * day } });
    world.entries = [];
    return world.run(midnight + day);
  };
  it.each<[string, HoldWorld, object]>([
    ['being placed', new HoldWorld(), { change: 'HOLD_BUSY', release: null, resolve: 'HOLD_NOT_STUCK' }],
    ['in place', placed(), { change: null, release: null, resolve: 'HOLD_NOT_STUCK' }],
    ['without its entry', gone(), { change: 'HOLD_ENTRY_GONE', release: null, resolve: null }],
    ['being released', placed().release(), { change: 'HOLD_OVER', release: null, resolve: 'HOLD_NOT_STUCK' }],
    [
      'over',
      placed()
        .release()
        .run(midnight + day),
      { change: 'HOLD_OVER', release: 'HOLD_OVER', resolve: 'HOLD_OVER' },
    ],
  ])('%s', (_, world, expected) => expect(checks(world)).toEqual(expected));

  it('a hold whose end has come is over, though its run has not seen it yet', () => {
    const world = placed();
    expect(checks(world, world.state.period.end).change).toBe('HOLD_OVER');
    expect(checks(world, world.state.period.end - 1).change).toBeNull();
  });

  it('a start that has come can stay, and not move', () => {
    const world = placed({ period: { start: midnight + day, end: midnight + 2 * day } });
    const check = (start: number, at: number) => codeOf(checkChange(world.state, { ...input, start }, at));
    expect(check(midnight + day, midnight + day)).toBeNull();
    expect(check(midnight + day + hour, midnight + day)).toBe('HOLD_BEGUN');
    expect(check(midnight + day + hour, midnight + day - 1)).toBeNull();
  });

  it('F13: a repeat of a resolution changes nothing, and what is resolved is shown no more', () => {
    const world = gone();
    world.state = resolveHold(world.state, input, world.now);
    expect(checkResolve(world.state, input)).toBeNull();
    expect(resolveHold(world.state, input, world.now)).toBe(world.state);
    expect(codeOf(checkResolve(world.state, { ...input, reason: 'y' }))).toBe('COMMAND_ID_REUSED');
    expect(world.facts).toMatchObject({ state: 'active', attention: [] });
  });
});

it('L21: the same command is the same request, whatever the order of its fields', () => {
  const end = midnight + 3 * day;
  const { state, now: later } = placed().change({ end, reason: 'longer' });
  expect(checkChange(state, { reason: 'longer', end, ...command }, later)).toBeNull();
  expect(codeOf(checkChange(state, { ...command, end, reason: 'shorter' }, later))).toBe('COMMAND_ID_REUSED');
});

it('F11: a change that came to be impossible meanwhile changes nothing', () => {
  const { state } = placed();
  expect(changeHold(state, { ...command, end: midnight }, midnight + hour)).toBe(state);
});

it('L21: a key stands for one action; of a command that 0.3.0 stored the action alone is compared', () => {
  const stored = [{ commandId: 'c-1', action: 'change' as const }];
  const input = { commandId: 'c-1', by: 'lee', end: midnight + day };
  expect(standingAmong(stored, 'change', input)).toBe('same');
  expect(standingAmong(stored, 'release', { commandId: 'c-1', by: 'lee', reason: null })).toBe('other');
  expect(standingAmong(stored, 'change', { ...input, commandId: 'c-2' })).toBe('new');
});

it.each(['ended', 'released', 'resolved', 'refused'] as const)(
  'F10: requests that are still open when a hold is %s are concluded',
  (end) => {
    const { state } = placed();
    const open = { by: 'lee', at: midnight, reason: null, outcome: 'out' as const, refused: null, asked: '' };
    const commands = (['change', 'release', 'resolve'] as const).map((action) => ({
      ...open,
      action,
      commandId: action,
    }));
    const over = finishHold({ ...state, commands }, end, midnight + day);
    expect(over).toMatchObject({ end, endedAt: midnight + day, troubles: {} });
    expect(over.commands).toMatchObject([
      { outcome: 'rejected', refused: { code: 'HOLD_OVER' } },
      { outcome: 'applied', refused: null },
      { outcome: 'applied', refused: null },
    ]);
  },
);
