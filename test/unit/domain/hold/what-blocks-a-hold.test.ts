import { describe, expect, it } from 'vitest';
import {
  applyStepAnswer,
  checkResolve,
  decideHold,
  holdFacts,
  holdView,
} from '../../../../src/domain/hold/index.js';
import {
  command,
  day,
  type Fate,
  HoldWorld,
  hour,
  many,
  midnight,
  placed,
  second,
} from '../../../support/hold-world.js';

describe('F06: a hold that is refused states why', () => {
  it('with the code and the text of the refused request, at once', () => {
    const world = new HoldWorld()
      .runTo('add-entry')
      .refusing('E005', 'refused')
      .run(midnight + day);
    expect(world.done('add-entry')).toHaveLength(1);
    expect(world.state.refused).toEqual({ code: 'E005', message: 'no' });
    expect(world.view).toMatchObject({
      state: 'refused',
      attention: [],
      refused: { code: 'E005', message: 'no' },
    });
  });

  it('with the platform’s own text where it may be shown', () => {
    const world = new HoldWorld().runTo('add-entry');
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

  it('and whose entry may be there is searched for at once when it is given up', () => {
    const world = new HoldWorld().refusing('RATE_LIMITED', 'taken', 'vanished', ...many('refused'));
    world.run(midnight + 59 * 60 * second);
    expect(world.facts.attention).toEqual(['entry']);
    expect(decideHold(world.state, midnight + hour).step.do).toBe('read-schedules');
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
    new HoldWorld().refusing(code, 'taken', 'vanished', ...fates).run(midnight + 10 * 60 * second);

  it('is the platform’s refusal to show it', () => {
    expect(unread(many('refused')).view.attention).toMatchObject([
      { kind: 'entry', code: 'E500', message: 'no', left: [] },
    ]);
  });
  it('is that there was no answer', () => {
    expect(unread(many('vanished')).view.attention).toMatchObject([
      { kind: 'entry', code: 'TIMEOUT', message: expect.stringContaining('schedule') },
    ]);
  });
  it('is the platform’s refusal to show the entry that was changed', () => {
    const world = placed({ withdrawFromSale: false }).release();
    world.refusing('E500', 'vanished', ...many('refused')).run(world.now + 10 * 60 * second);
    expect(world.view.attention).toMatchObject([{ kind: 'entry', code: 'E500', left: ['schedule/501'] }]);
  });
  it('is that an entry of it cannot be read', () => {
    const world = new HoldWorld();
    world.hidden.push('startDateTimeStr: expected date (G19)');
    world.fates = ['taken', 'vanished'];
    expect(world.run(midnight + 10 * 60 * second).view.attention).toMatchObject([
      { code: 'UNREADABLE', message: expect.stringContaining('G19') },
    ]);
  });
});

describe('F05, F11: a refused change leaves no problem', () => {
  it('whatever happened to its earlier attempts', () => {
    const world = placed({ withdrawFromSale: false });
    const { end } = world.state.period;
    world.reserve({ start: end + hour, end: end + day });
    world.change({ end: end + 2 * hour });
    world.refusing('NOT_STARTED', 'refused', 'refused', 'refused').run(world.now + hour);
    expect(world.state.troubles).toEqual({});
    expect(world.view.commands.at(-1)).toMatchObject({ outcome: 'rejected', refused: { code: 'E011' } });
  });

  it.each([
    ['ILLEGAL_STATE', /type R/],
    ['E012', /^no$/],
  ])('where the platform answers %s, and the refusal states why', (code, message) => {
    const world = placed({ withdrawFromSale: false });
    const { period } = world.state;
    world.change({ end: period.end + hour });
    world.refusing(code, 'refused').run(world.now + hour);
    expect(world.state).toMatchObject({ change: null, period, troubles: {} });
    expect(world.view.commands.at(-1)?.refused).toMatchObject({
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
    world.change({ end: midnight + 3 * day });
    world.run(world.now + hour);
    expect(world.view.commands.at(-1)).toMatchObject({
      outcome: 'rejected',
      refused: { code: 'NOT_FOUND' },
    });
    expect(world.view).toMatchObject({
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
  ])('a hold planned %i s ahead reads it %i time(s)', (ahead, reads) => {
    const start = midnight + ahead * second;
    const world = new HoldWorld({ period: { start, end: start + day }, withdrawFromSale: false });
    expect(world.run(start + hour).done('look-at-entry')).toHaveLength(reads);
  });

  it('a text of the entry that was edited on the platform stays', () => {
    const world = new HoldWorld({ period: { start: midnight + day, end: midnight + 2 * day } }).run(
      midnight + hour,
    );
    for (const entry of world.entries) entry.reason = 'tyres [hold h-1]';
    world
      .run(midnight + day + hour)
      .release()
      .run(midnight + day + 2 * hour);
    expect(world.done('change-entry')).toMatchObject([{ reason: 'tyres [hold h-1]' }]);
  });
});

describe('F03, F04: products', () => {
  it('a product that was deleted before it is set is no longer part of the hold', () => {
    const world = new HoldWorld().runTo('set-sale');
    world.sale.delete(301);
    world.run(midnight + hour);
    expect(world.view).toMatchObject({ state: 'active', attention: [] });
    expect(world.view.sale).toEqual([
      { productId: 301, state: 'left' },
      { productId: 302, state: 'was-off' },
      { productId: 303, state: 'ours' },
    ]);
  });

  it('a product whose answer is lost is a problem until it reads N, whatever the other answers', () => {
    const world = new HoldWorld().runTo('set-sale');
    world.fates = ['taken', 'lost'];
    world.run(world.now, world.steps.length + 1);
    expect(world.state.troubles.sale).toMatchObject({ code: 'TIMEOUT', tries: 1 });
    expect(world.view).toMatchObject({
      state: 'placing',
      sale: [{}, {}, { productId: 303, state: 'setting' }],
    });
    expect(world.run(midnight + hour).view).toMatchObject({ state: 'active', attention: [] });
    expect(world.state.troubles).toEqual({});
    const withdrawn = world.state.audit.filter(({ action }) => action === 'sale-status.withdraw');
    expect(withdrawn.map(({ subject }) => subject)).toEqual(['product/301/car/1001', 'product/303/car/1001']);
  });

  it('a batch without any answer is read again only after a wait, a batch with some answers continues', () => {
    const silent = new HoldWorld().runTo('look-in-products');
    silent.fates = many('vanished', 4);
    silent.run(silent.now, silent.steps.length + 1);
    expect(decideHold(silent.state, silent.now).step).not.toMatchObject({ do: 'look-in-products' });
    expect(silent.state.sale.aside).toBeUndefined();
    const partly = new HoldWorld().runTo('look-in-products');
    partly.fates = ['taken', 'vanished', 'taken'];
    partly.run(partly.now, partly.steps.length + 1);
    expect(partly.state.sale.aside).toEqual([302]);
  });

  it('F12: a product that alone is not answered is put aside, two are the platform', () => {
    const aside = (...products: [number, 'Y'][]) => {
      const world = new HoldWorld({}, products).runTo('look-in-products');
      const { step } = decideHold(world.state, world.now);
      if (step.do !== 'look-in-products') throw new Error(step.do);
      const answer = { outcome: 'unknown', code: 'TIMEOUT' } as const;
      const answers = products.map(([productId]) => ({ productId, answer }));
      const { sale, troubles } = applyStepAnswer(world.state, step.do, step, answers, world.now);
      expect(troubles.sale).toMatchObject({ code: 'TIMEOUT', tries: 1 });
      return sale.aside;
    };
    expect(aside([301, 'Y'])).toEqual([301]);
    expect(aside([301, 'Y'], [302, 'Y'])).toBeUndefined();
  });

  it('F03: a search that finds no product is over', () => {
    const world = new HoldWorld().runTo('list-products');
    const listed = { outcome: 'applied' as const, value: [] };
    const state = applyStepAnswer(world.state, 'list-products', { do: 'list-products' }, listed, world.now);
    expect(state.sale).toMatchObject({ products: [], scan: 'idle' });
    expect(decideHold(state, world.now).step.do).toBe('write-memo');
  });

  it('F04: products are read by twenty, and given back by eight', () => {
    const products = Array.from({ length: 21 }, (_, index): [number, 'Y'] => [301 + index, 'Y']);
    const world = new HoldWorld({}, products).run(midnight + hour);
    const before = world.done('look-in-products').length;
    world.release().run(midnight + 2 * hour);
    const lengths = (steps: { productIds: number[] }[]) => steps.map(({ productIds }) => productIds.length);
    expect(lengths(world.done('look-in-products').slice(before))).toEqual([20, 1]);
    expect(lengths(world.done('set-sale').filter(({ saleYn }) => saleYn === 'Y'))).toEqual([8, 8, 4, 1]);
  });

  it('F12: a problem with one product states what the platform answered', () => {
    const world = new HoldWorld();
    world.unset.add(301);
    world.run(midnight + hour);
    expect(world.state.troubles.sale).toMatchObject({ code: 'UNREADABLE', message: 'no' });
    expect(world.view.attention).toMatchObject([{ message: expect.stringMatching(/ no$/) }]);
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

  it('the hold gets its turn after ten minutes, not at ten minutes, and is asked for each 3 s', () => {
    const world = new HoldWorld().runTo('ask-turn');
    const step = { do: 'ask-turn', carId: 1001, holdId: 'h-1', before: midnight } as const;
    const taken = { outcome: 'applied', value: { holdId: 'h-0' } } as const;
    const at = (now: number) => applyStepAnswer(world.state, 'ask-turn', step, taken, now).sale;
    const tenth = midnight + 600 * second;
    expect([at(tenth).isOurTurn, at(tenth + 1).isOurTurn]).toEqual([false, true]);
    expect(at(tenth).askAt).toBe(tenth + 3 * second);
  });

  it('F12: products that are still to be restored are named with what is in place, also before their turn', () => {
    const products = Array.from({ length: 30 }, (_, index): [number, 'Y'] => [301 + index, 'Y']);
    const world = new HoldWorld({}, products).run(midnight + hour).release();
    world.runTo('set-sale');
    world.fates = many('busy');
    world.run(world.now + hour);
    const left = products.map(([productId]) => `product/${productId}`);
    expect(world.view.attention).toMatchObject([
      { kind: 'entry', code: 'RATE_LIMITED', left: ['schedule/501'] },
      { kind: 'sale-not-restored', code: 'RATE_LIMITED', left },
    ]);
    world.resolve('seen to by hand');
    const resolved = world.state.audit.find(({ action }) => action === 'hold.resolve');
    expect(resolved?.data).toMatchObject({ restored: 0, leftInPlace: 30 });
  });
});

describe('F13: a resolution by a person', () => {
  const resolved = (world: HoldWorld) => {
    expect(checkResolve(world.state, { ...command, reason: 'seen to by hand' })).toBeNull();
    return world.resolve('seen to by hand');
  };

  it('leaves products on sale, and withdrawn products are still restored at the end', () => {
    const world = new HoldWorld();
    world.unset.add(301);
    world.run(midnight + hour);
    expect(world.view.attention).toMatchObject([{ kind: 'sale-not-withdrawn', left: ['product/303'] }]);
    expect(resolved(world).view.sale).toEqual([
      { productId: 301, state: 'untouched' },
      { productId: 302, state: 'was-off' },
      { productId: 303, state: 'ours' },
    ]);
    world.unset.clear();
    expect(world.run(midnight + 3 * day).view.sale.map(({ state }) => state)).toEqual([
      'untouched',
      'was-off',
      'restored',
    ]);
    expect([...world.sale.values()]).toEqual(['Y', 'N', 'Y']);
  });

  it('ends a hold that is being undone, and the audit lists what it restored, left unchanged and leaves in place', () => {
    const world = placed().release();
    world.fates = ['taken', 'taken', 'taken', 'vanished', ...many('busy')];
    world.run(world.now + hour);
    const kinds = world.state.sale.products.map(({ kind }) => kind);
    resolved(world);
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
    const world = new HoldWorld({}, [[301, 'Y']]).runTo('set-sale');
    world.fates = ['lost', 'busy', ...many('busy')];
    world.run(world.now + 1);
    world.release().run(world.now + hour);
    expect(world.view.sale).toEqual([{ productId: 301, state: 'setting' }]);
    expect(resolved(world).view).toMatchObject({ state: 'resolved', open: false });
    expect(world.state.audit.at(-1)?.data).toMatchObject({ restored: 0, leftAlone: 0, leftInPlace: 1 });
  });
});

it('F10, F12: problems of the memo and of unreadable products are no problems of a hold that is being undone', () => {
  const world = new HoldWorld();
  world.unlisted.push('listProducts: productId (G03)');
  world.runTo('write-memo').refusing('REFUSED', 'refused');
  world.run(midnight + hour);
  expect(world.facts.attention).toEqual(['memo', 'sale-not-withdrawn']);
  const { end } = world.state.period;
  expect(holdFacts(decideHold(world.state, end).state, end)).toMatchObject({
    state: 'releasing',
    attention: [],
  });
  expect(world.release().facts).toMatchObject({ state: 'releasing', attention: [] });
});

it('F10, F17: a release rejects a change that was not sent yet, at once and in the audit', () => {
  const world = placed();
  const { period } = world.state;
  world.change({ end: period.end + hour });
  const released = world.release().state;
  expect(released.change).toBeNull();
  expect(released.commands.find(({ action }) => action === 'change')).toMatchObject({
    outcome: 'rejected',
    refused: { code: 'HOLD_OVER' },
  });
  expect(released.audit.at(-1)).toMatchObject({ action: 'hold.change', data: { outcome: 'rejected' } });
});
