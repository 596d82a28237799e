import { expect, it } from 'vitest';
import { inTheWayOf } from '../../../../src/domain/hold/entry/conflict.js';
import { freePeriods, obstacles, rangeAround } from '../../../../src/domain/hold/free-periods.js';
import {
  applyStepAnswer,
  decideHold,
  holdView,
  resolveHold,
  withoutWorkflow,
} from '../../../../src/domain/hold/index.js';
import { afterLost } from '../../../../src/domain/hold/messages/no-answer.js';
import { day, HoldWorld, hour, many, midnight, minute, placed, zone } from '../../../support/hold-world.js';
import { inEnglish } from '../../../support/sentences.js';

const entry = (scheduleId: number, from: number, to: number) => ({
  scheduleId,
  type: 'S' as const,
  reason: 'x',
  start: midnight + from * hour,
  end: midnight + to * hour,
});

it('F08: what only touches the period is not in its way, and what is comes by its start', () => {
  const period = { start: midnight + 4 * hour, end: midnight + 8 * hour };
  const entries = [entry(1, 7, 9), entry(2, 0, 4), entry(3, 8, 9), entry(4, 5, 6), entry(5, 3, 5)];
  expect(obstacles(entries, period).map(({ scheduleId }) => scheduleId)).toEqual([5, 4, 1]);
});

it('F08: a free period may end where the schedule that is read ends, and begin where it begins', () => {
  const period = { start: midnight + 60 * day, end: midnight + 61 * day };
  const from = period.start - 31 * day;
  const to = period.end + 31 * day;
  const blocked = [{ ...entry(1, 0, 1), start: from + day, end: to - day }];
  expect(freePeriods(blocked, period, midnight)).toEqual({
    before: { start: from, end: from + day },
    after: { start: to - day, end: to },
  });
  const more = [{ ...entry(1, 0, 1), start: from + day - 1, end: to - day + 1 }];
  expect(freePeriods(more, period, midnight)).toEqual({ before: null, after: null });
});

it.each<[string, string, object]>([
  ['with its period and its name', 'active', {}],
  ['of a reservation', 'refused', { type: 'R' }],
  ['with another start', 'refused', { start: midnight + 1_000 }],
  ['with another end', 'refused', { end: midnight + 2 * day - 1_000 }],
  ['that names another hold', 'refused', { reason: 'maintenance [hold h-2]' }],
  ['that names none', 'refused', { reason: 'maintenance' }],
])('F07, F08: a hold that finds an entry %s in its way is %s', (_, state, changes) => {
  const own = { type: 'S' as const, start: midnight, end: midnight + 2 * day, reason: 'x [hold h-1]' };
  const world = new HoldWorld({ withdrawFromSale: false });
  world.enter({ ...own, ...changes });
  expect(world.run(midnight + hour).facts.state).toBe(state);
});

it('F08: a refused change names what is in the way only where the schedule can be read', () => {
  const refused = (read: (world: HoldWorld) => unknown) => {
    const world = placed({ withdrawFromSale: false });
    world.reserve({ start: midnight + 3 * day, end: midnight + 4 * day });
    read(world.change({ end: midnight + 3 * day + hour }));
    return world.run(world.now + hour).view.commands.at(-1)?.refused;
  };
  expect(refused((world) => world.refusing('E500', 'taken', 'refused'))).toEqual({
    code: 'E011',
    message: expect.stringContaining('Another schedule entry'),
  });
  const inTheWay = [
    {
      scheduleId: 502,
      type: 'R',
      holdId: null,
      start: '2026-11-24T09:00:00.000+09:00',
      end: '2026-11-25T09:00:00.000+09:00',
    },
  ];
  const e011 = { code: 'E011', message: expect.stringContaining('type R'), inTheWay };
  expect(refused((world) => world.hidden.push('start: expected date (G19)'))).toEqual(e011);
  const after = { start: '2026-11-25T09:00:00.000+09:00', end: '2026-11-28T10:00:00.000+09:00' };
  expect(refused(() => undefined)).toEqual({ ...e011, free: { before: null, after } });
});

it.each([
  ['under way', -1, -1],
  ['that begins now', 0, 0],
  ['soon', 24, 0],
  ['in 40 days', 40 * 24, 40 * 24 - 31 * 24],
])(
  'F08: the schedule around a period %s is read from no time before now and the period',
  (_, from, readFrom) => {
    const period = { start: midnight + from * hour, end: midnight + (from + 24) * hour };
    expect(rangeAround(period, midnight)).toEqual({
      start: midnight + readFrom * hour,
      end: period.end + 31 * day,
    });
  },
);

it('F08: a text names what is in the way: a reservation, another use or another hold, and how many more', () => {
  const one = { scheduleId: 5, start: 0, end: 1 };
  const text = (list: Parameters<typeof inTheWayOf>[0]) => inEnglish(inTheWayOf(list));
  expect(text([])).toContain('Another schedule entry');
  expect(text([{ ...one, type: 'R', holdId: null }])).toMatch(/reserved.*schedule entry 5, type R/);
  expect(text([{ ...one, type: 'S', holdId: null }])).toMatch(/Another use.*schedule entry 5, type S/);
  expect(text([{ ...one, type: 'S', holdId: 'h-9' }])).toMatch(/Another hold.*schedule entry 5, hold h-9/);
  const two = [1, 2].map((scheduleId) => ({ ...one, scheduleId, type: 'S' as const, holdId: null }));
  expect(text(two)).toContain(', and 1 more');
  const three = [1, 2, 3].map((scheduleId) => ({ ...one, scheduleId, type: 'S' as const, holdId: null }));
  expect(text(three)).toContain(', and 2 more');
  expect(text(three.slice(0, 1))).not.toContain('more');
});

it('F12: a text about a lost answer states why it cannot be read, where that is known', () => {
  expect(inEnglish(afterLost({ outcome: 'unknown', code: 'TIMEOUT' }))).toContain('no answer');
  expect(
    inEnglish(afterLost({ outcome: 'unknown', code: 'TIMEOUT', message: 'carNumber: expected string' })),
  ).toMatch(/^carNumber: expected string\. /);
});

it('a hold is being placed until its memo is written, though its entry is in place', () => {
  const world = new HoldWorld({ withdrawFromSale: false });
  world.run(midnight, 2);
  expect(world.facts.state).toBe('placing');
  world.run(midnight + hour, 3);
  expect(world.facts.state).toBe('active');
});

it('F10: what was requested before a release and not done yet is rejected', () => {
  const world = new HoldWorld();
  world.fates = many('busy');
  world.run(midnight + 1);
  world.release();
  world.fates = [];
  expect(world.run(midnight + hour).view.commands).toMatchObject([
    { action: 'create', outcome: 'rejected', refused: { code: 'HOLD_OVER' } },
    { action: 'release', outcome: 'applied', refused: null },
  ]);
});

it('F12: a second release tries at once what is blocked, which stays shown since the first failure', () => {
  const world = placed();
  world.release();
  world.fates = many('busy');
  world.run(world.now + hour);
  const { attention } = world.view;
  expect(attention.map(({ kind }) => kind)).toEqual(['entry', 'sale-not-restored']);
  world.release({ commandId: 'c-2' });
  expect(world.view.attention).toEqual(attention);
  expect(decideHold(world.state, world.now).step.do).toBe('look-in-products');
});

it('F10, F13: a second release shortens the entry to the time of the first', () => {
  const world = placed();
  const { now } = world;
  world.release().refusing('REFUSED', ...many('refused'));
  world
    .run(now + hour)
    .release({ commandId: 'r-2' })
    .refusing('REFUSED');
  expect(world.run(now + 2 * hour).own).toMatchObject([{ start: midnight, end: now }]);
  expect(world.state.end).toBe('released');
});

it('F13: a memo that a person accepted as missing is not written after a later resolution', () => {
  const world = new HoldWorld()
    .runTo('write-memo')
    .refusing('REFUSED', 'refused')
    .run(midnight + hour);
  world.resolve('agreed by phone').sale.set(304, 'Y');
  world.unset.add(304);
  world.change({ commandId: 'c-2', end: midnight + 3 * day }).run(midnight + 3 * hour);
  expect(world.facts.attention).toEqual(['sale-not-withdrawn']);
  world.state = resolveHold(
    world.state,
    { commandId: 'c-3', by: 'lee', reason: 'it stays on sale' },
    world.now,
  );
  expect(world.run(midnight + day).facts).toMatchObject({ state: 'active', attention: [] });
  expect(world.memos).toEqual([]);
});

it('F13: a resolution leaves alone what was never withdrawn, and the audit counts it', () => {
  const world = new HoldWorld();
  world.unset.add(301);
  world.run(midnight + hour);
  world.resolve('by hand');
  world.run(midnight + 3 * day);
  expect(world.state.audit.at(-1)).toMatchObject({
    action: 'hold.end',
    by: 'kim',
    reason: null,
    data: { carId: 1001, restored: 1, leftAlone: 2, leftInPlace: 0 },
  });
});

it('F13: what is not shown yet continues after a resolution of the rest', () => {
  const world = placed();
  const trouble = { code: 'REFUSED', message: 'no', since: midnight, tries: 3, nextAt: null };
  const young = { ...trouble, code: 'E500', tries: 2, nextAt: world.now + minute };
  world.state = { ...world.state, troubles: { memo: trouble, sale: young } };
  expect(world.facts).toMatchObject({ state: 'attention', attention: ['memo'] });
  world.resolve('by hand');
  expect(world.state.troubles).toEqual({ sale: young });
});

it('F12: products that can be read again at a later listing are shown no more', () => {
  const world = new HoldWorld();
  world.unlisted.push('productId: expected number (G03)');
  world.run(midnight + minute);
  expect(world.view.attention).toMatchObject([
    { kind: 'sale-not-withdrawn', code: 'UNREADABLE', message: expect.stringContaining('1'), left: [] },
  ]);
  world.unlisted.length = 0;
  world.change({ end: midnight + 3 * day });
  expect(world.run(world.now + minute).facts).toMatchObject({ state: 'active', attention: [] });
});

it.each([
  ['shows a change of the period', { end: midnight + 3 * day }, midnight + 3 * day, 'applied'],
  ['does not show a change of the reason alone', { reason: 'oil' }, midnight + 2 * day, 'out'],
])('F07: an entry whose reason cannot be read %s', (_, input, end, outcome) => {
  const world = placed({ withdrawFromSale: false });
  world.change({ ...input });
  world.fates = ['lost'];
  world.run(world.now, world.steps.length + 1);
  const step = { do: 'look-at-entry', scheduleId: 501 } as const;
  const read = { outcome: 'applied', value: { period: { start: midnight, end }, reason: null } } as const;
  const state = applyStepAnswer(world.state, 'look-at-entry', step, read, world.now + hour);
  expect(state.commands.at(-1)?.outcome).toBe(outcome);
});

it('F16: a product that is about to be given back is in place', () => {
  const view = holdView(placed().state, midnight + hour);
  const sale = (['ours', 'restoring', 'setting', 'restored', 'changed', 'left'] as const).map(
    (state, index) => ({
      productId: index,
      state,
    }),
  );
  const { attention } = withoutWorkflow({ ...view, sale, memoId: null }, midnight, zone);
  expect(attention[0]?.left).toEqual(['schedule/501', 'product/0', 'product/1', 'product/2']);
});
