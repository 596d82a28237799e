import { describe, expect, it } from 'vitest';
import {
  applyStepAnswer,
  changeHold,
  checkResolve,
  decideHold,
  holdFacts,
  holdView,
  releaseHold,
  resolveHold,
} from '../../../../src/domain/hold/index.js';
import { day, type Fate, HoldWorld, midnight } from '../../../support/hold-world.js';

const second = 1_000;
const hour = day / 24;
const many = (fate: Fate, count = 500) => Array<Fate>(count).fill(fate);
const viewOf = ({ state, now }: HoldWorld) => holdView(state, now);
const command = { commandId: 'c-1', by: 'lee' };

function release(world: HoldWorld): HoldWorld {
  world.state = releaseHold(world.state, { commandId: 'r-1', by: 'lee', reason: null }, world.now);
  return world;
}
function placed(changes: ConstructorParameters<typeof HoldWorld>[0] = {}): HoldWorld {
  return new HoldWorld(changes).run(midnight + hour);
}
/** Runs until the next step is this one. */
function runTo(world: HoldWorld, step: string): HoldWorld {
  for (let count = 0; count < 50; count++) {
    if (decideHold(world.state, world.now).step.do === step) return world;
    world.run(midnight + 2 * day, world.steps.length + 1);
  }
  throw new Error(`no ${step}`);
}
function refusing(world: HoldWorld, code: string, fates: Fate[]): HoldWorld {
  world.refusal = code;
  world.fates = fates;
  return world;
}

describe('F06: a hold that is refused states why', () => {
  it('with the code and the text of the refused request, at once', () => {
    const world = refusing(runTo(new HoldWorld(), 'add-entry'), 'E005', ['refused']).run(midnight + day);
    expect(world.done('add-entry')).toHaveLength(1);
    expect(world.state.refused).toEqual({ code: 'E005', message: 'no' });
    expect(viewOf(world)).toMatchObject({
      state: 'refused',
      attention: [],
      refused: { code: 'E005', message: 'no' },
    });
  });

  it('with the platform’s own text where it may be shown', () => {
    const world = runTo(new HoldWorld(), 'add-entry');
    const { step } = decideHold(world.state, world.now);
    if (step.do !== 'add-entry') throw new Error(step.do);
    const answer = { outcome: 'rejected', code: 'E005', message: 'no', platformMessage: 'closed' } as const;
    const state = applyStepAnswer(world.state, 'add-entry', step, answer, world.now);
    expect(holdView(state, world.now).refused).toEqual({
      code: 'E005',
      message: 'no',
      platformMessage: 'closed',
    });
  });

  it('with the failure of its last attempt where it is given up after an hour, or with a period that is over', () => {
    const busy = new HoldWorld();
    busy.fates = many('busy');
    expect(busy.run(midnight + 2 * hour).state.refused).toEqual({ code: 'RATE_LIMITED', message: 'later' });
    const late = decideHold(new HoldWorld().state, midnight + hour).state;
    expect(late.refused).toMatchObject({ code: 'TIMEOUT' });
    expect(late.commands).toMatchObject([
      { action: 'create', outcome: 'rejected', refused: { code: 'TIMEOUT' } },
    ]);
  });
});

describe('F07, F12: the reason that is shown for an unreadable schedule', () => {
  const unread = (fates: Fate[], code = 'E500') =>
    refusing(new HoldWorld(), code, ['taken', 'vanished', ...fates]).run(midnight + 10 * 60 * second);

  it('is the platform’s refusal to show it', () => {
    expect(viewOf(unread(many('refused'))).attention).toMatchObject([
      { kind: 'entry', code: 'E500', message: 'no', left: [] },
    ]);
  });
  it('is that there was no answer', () => {
    expect(viewOf(unread(many('vanished'))).attention).toMatchObject([
      { kind: 'entry', code: 'TIMEOUT', message: expect.stringContaining('schedule') },
    ]);
  });
  it('is that an entry of it cannot be read', () => {
    const world = new HoldWorld();
    world.hidden.push('startDateTimeStr: expected date (G19)');
    world.fates = ['taken', 'vanished'];
    expect(viewOf(world.run(midnight + 10 * 60 * second)).attention).toMatchObject([
      { code: 'UNREADABLE', message: expect.stringContaining('G19') },
    ]);
  });
});

describe('F05, F11: a refused change leaves no problem', () => {
  it('whatever happened to its earlier attempts', () => {
    const world = placed({ withdrawFromSale: false });
    const { end } = world.state.period;
    world.reserve({ start: end + hour, end: end + day });
    world.state = changeHold(world.state, { ...command, end: end + 2 * hour }, world.now);
    refusing(world, 'NOT_STARTED', ['refused', 'refused', 'refused']).run(world.now + hour);
    expect(world.state.troubles).toEqual({});
    expect(viewOf(world).commands.at(-1)).toMatchObject({ outcome: 'rejected', refused: { code: 'E011' } });
  });

  it.each([
    ['ILLEGAL_STATE', /type R/],
    ['E012', /^no$/],
  ])('%s: and states why', (code, message) => {
    const world = placed({ withdrawFromSale: false });
    const { period } = world.state;
    world.state = changeHold(world.state, { ...command, end: period.end + hour }, world.now);
    refusing(world, code, ['refused']).run(world.now + hour);
    expect(world.state).toMatchObject({ change: null, period, troubles: {} });
    expect(viewOf(world).commands.at(-1)?.refused).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(world.state.audit.at(-1)).toMatchObject({
      action: 'hold.change',
      data: {
        code,
        outcome: 'rejected',
        before: '2026-11-21T00:00:00.000Z/2026-11-23T00:00:00.000Z',
        after: '2026-11-21T00:00:00.000Z/2026-11-23T01:00:00.000Z',
      },
    });
  });

  it('where its entry was deleted, a person decides about the entry', () => {
    const world = placed({ withdrawFromSale: false });
    world.entries = [];
    world.state = changeHold(world.state, { ...command, end: midnight + 3 * day }, world.now);
    world.run(world.now + hour);
    expect(viewOf(world).commands.at(-1)).toMatchObject({
      outcome: 'rejected',
      refused: { code: 'NOT_FOUND' },
    });
    expect(viewOf(world)).toMatchObject({
      state: 'attention',
      schedule: { scheduleId: 501, state: 'gone' },
      attention: [{ kind: 'entry', code: 'NOT_FOUND', left: [] }],
    });
  });
});

describe('F19: the entry is read at the start where the hold was planned ahead by more than a minute', () => {
  it.each([
    [60, 0],
    [61, 1],
  ])('%i s ahead: %i times', (ahead, reads) => {
    const start = midnight + ahead * second;
    const world = new HoldWorld({ period: { start, end: start + day }, withdrawFromSale: false });
    expect(world.run(start + hour).done('look-at-entry')).toHaveLength(reads);
  });

  it('and its text on the platform stays', () => {
    const world = new HoldWorld({ period: { start: midnight + day, end: midnight + 2 * day } }).run(
      midnight + hour,
    );
    for (const entry of world.entries) entry.reason = 'tyres [hold h-1]';
    release(world.run(midnight + day + hour)).run(midnight + day + 2 * hour);
    expect(world.done('change-entry')).toMatchObject([{ reason: 'tyres [hold h-1]' }]);
  });
});

describe('F03, F04: products', () => {
  it('a product that was deleted before it is set is no longer part of the hold', () => {
    const world = runTo(new HoldWorld(), 'set-sale');
    world.sale.delete(301);
    world.run(midnight + hour);
    expect(viewOf(world)).toMatchObject({ state: 'active', attention: [] });
    expect(viewOf(world).sale).toEqual([
      { productId: 301, state: 'left' },
      { productId: 302, state: 'was-off' },
      { productId: 303, state: 'ours' },
    ]);
  });

  it('a product whose answer is lost is a problem until it reads N, whatever the other answers', () => {
    const world = runTo(new HoldWorld(), 'set-sale');
    world.fates = ['taken', 'lost'];
    world.run(world.now, world.steps.length + 1);
    expect(world.state.troubles.sale).toMatchObject({ code: 'TIMEOUT', tries: 1 });
    expect(viewOf(world)).toMatchObject({
      state: 'placing',
      sale: [{}, {}, { productId: 303, state: 'setting' }],
    });
    expect(viewOf(world.run(midnight + hour))).toMatchObject({ state: 'active', attention: [] });
    expect(world.state.troubles).toEqual({});
    const withdrawn = world.state.audit.filter(({ action }) => action === 'sale-status.withdraw');
    expect(withdrawn.map(({ subject }) => subject)).toEqual(['product/301/car/1001', 'product/303/car/1001']);
  });

  it('a batch without any answer is read again only after a wait, a batch with some answers continues', () => {
    const silent = runTo(new HoldWorld(), 'look-in-products');
    silent.fates = many('vanished', 4);
    silent.run(silent.now, silent.steps.length + 1);
    expect(decideHold(silent.state, silent.now).step).not.toMatchObject({ do: 'look-in-products' });
    expect(silent.state.sale.aside).toBeUndefined();
    const partly = runTo(new HoldWorld(), 'look-in-products');
    partly.fates = ['taken', 'vanished', 'taken'];
    partly.run(partly.now, partly.steps.length + 1);
    expect(partly.state.sale.aside).toEqual([302]);
  });

  it('F04: products are given back by eight', () => {
    const products = Array.from({ length: 20 }, (_, index): [number, 'Y'] => [301 + index, 'Y']);
    const world = release(new HoldWorld({}, products).run(midnight + hour)).run(midnight + 2 * hour);
    const back = world.done('set-sale').filter(({ saleYn }) => saleYn === 'Y');
    expect(back.map(({ productIds }) => productIds.length)).toEqual([8, 8, 4]);
  });

  it('F12: a problem with one product states what the platform answered', () => {
    const world = new HoldWorld();
    world.unset.add(301);
    world.run(midnight + hour);
    expect(world.state.troubles.sale).toMatchObject({ code: 'UNREADABLE', message: 'no' });
    expect(viewOf(world).attention).toMatchObject([{ message: expect.stringMatching(/ no$/) }]);
  });

  it.each([
    ['on-sale', 'placing'],
    ['setting', 'placing'],
    ['ours', 'active'],
    ['was-off', 'active'],
    ['untouched', 'active'],
  ] as const)('F03: a hold with a product that is %s, beside others, is %s', (kind, name) => {
    const { state, now } = placed();
    const known = state.sale.products.map((one) => (one.productId === 301 ? { ...one, kind } : one));
    expect(holdFacts({ ...state, sale: { ...state.sale, products: known } }, now).state).toBe(name);
  });

  it('the hold gets its turn after ten minutes, not at ten minutes', () => {
    const world = runTo(new HoldWorld(), 'ask-turn');
    const step = { do: 'ask-turn', carId: 1001, holdId: 'h-1', before: midnight } as const;
    const taken = { outcome: 'applied', value: { holdId: 'h-0' } } as const;
    const at = (now: number) => applyStepAnswer(world.state, 'ask-turn', step, taken, now).sale.isOurTurn;
    expect([at(midnight + 600 * second), at(midnight + 600 * second + 1)]).toEqual([false, true]);
  });

  it('F12: products that are still to be restored are named with what is in place, also before their turn', () => {
    const products = Array.from({ length: 30 }, (_, index): [number, 'Y'] => [301 + index, 'Y']);
    const world = release(new HoldWorld({}, products).run(midnight + hour));
    runTo(world, 'set-sale');
    world.fates = many('busy');
    world.run(world.now + hour);
    const left = products.map(([productId]) => `product/${productId}`);
    expect(viewOf(world).attention).toMatchObject([
      { kind: 'entry', code: 'RATE_LIMITED', left: ['schedule/501'] },
      { kind: 'sale-not-restored', code: 'RATE_LIMITED', left },
    ]);
    world.state = resolveHold(world.state, { ...command, reason: 'seen to by hand' }, world.now);
    const resolved = world.state.audit.find(({ action }) => action === 'hold.resolve');
    expect(resolved?.data).toMatchObject({ restored: 0, leftInPlace: 30 });
  });
});

describe('F13: a resolution by a person', () => {
  const settle = (world: HoldWorld) => {
    const input = { ...command, reason: 'seen to by hand' };
    expect(checkResolve(world.state, input)).toBeNull();
    world.state = resolveHold(world.state, input, world.now);
    return world;
  };

  it('leaves products on sale, and withdrawn products are still restored at the end', () => {
    const world = new HoldWorld();
    world.unset.add(301);
    world.run(midnight + hour);
    expect(viewOf(world).attention).toMatchObject([{ kind: 'sale-not-withdrawn', left: ['product/303'] }]);
    expect(viewOf(settle(world)).sale).toEqual([
      { productId: 301, state: 'untouched' },
      { productId: 302, state: 'was-off' },
      { productId: 303, state: 'ours' },
    ]);
    world.unset.clear();
    expect(viewOf(world.run(midnight + 3 * day)).sale.map(({ state }) => state)).toEqual([
      'untouched',
      'was-off',
      'restored',
    ]);
    expect([...world.sale.values()]).toEqual(['Y', 'N', 'Y']);
  });

  it('ends a hold that is being undone, and the audit lists what it restored, left unchanged and leaves in place', () => {
    const world = release(placed());
    world.fates = ['taken', 'taken', 'taken', 'vanished', ...many('busy')];
    world.run(world.now + hour);
    const kinds = world.state.sale.products.map(({ kind }) => kind);
    settle(world);
    expect(kinds).toContain('restored');
    const count = (some: string[]) => kinds.filter((kind) => some.includes(kind)).length;
    expect(world.state.audit.find(({ action }) => action === 'hold.resolve')).toMatchObject({
      data: {
        restored: count(['restored']),
        leftAlone: count(['was-off']),
        leftInPlace: count(['ours', 'restoring', 'setting']),
      },
    });
  });

  it('counts a product whose withdrawal was never answered as left in place', () => {
    const world = runTo(new HoldWorld({}, [[301, 'Y']]), 'set-sale');
    world.fates = ['lost', 'busy', ...many('busy')];
    world.run(world.now + 1);
    release(world).run(world.now + hour);
    expect(viewOf(world).sale).toEqual([{ productId: 301, state: 'setting' }]);
    expect(viewOf(settle(world))).toMatchObject({ state: 'resolved', open: false });
    expect(world.state.audit.at(-1)?.data).toMatchObject({ restored: 0, leftAlone: 0, leftInPlace: 1 });
  });
});

it('F10, F12: problems of the memo and of unreadable products are no problems of a hold that is being undone', () => {
  const world = new HoldWorld();
  world.unlisted.push('listProducts: productId (G03)');
  refusing(runTo(world, 'write-memo'), 'REFUSED', ['refused']);
  world.run(midnight + hour);
  expect(world.facts.attention).toEqual(['memo', 'sale-not-withdrawn']);
  const { end } = world.state.period;
  expect(holdFacts(decideHold(world.state, end).state, end)).toMatchObject({
    state: 'releasing',
    attention: [],
  });
  expect(release(world).facts).toMatchObject({ state: 'releasing', attention: [] });
});

it('F10, F17: a release rejects a change that was not sent yet, at once and in the audit', () => {
  const world = placed();
  const { period } = world.state;
  world.state = changeHold(world.state, { ...command, end: period.end + hour }, world.now);
  const released = release(world).state;
  expect(released.change).toBeNull();
  expect(released.commands.find(({ action }) => action === 'change')).toMatchObject({
    outcome: 'rejected',
    refused: { code: 'HOLD_OVER' },
  });
  expect(released.audit.at(-1)).toMatchObject({ action: 'hold.change', data: { outcome: 'rejected' } });
});
