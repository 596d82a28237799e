import { expect, it } from 'vitest';
import { freePeriods, obstacles } from '../../../../src/domain/hold/free-periods.js';
import {
  applyStepAnswer,
  changeHold,
  decideHold,
  holdView,
  releaseHold,
  resolveHold,
  withoutWorkflow,
} from '../../../../src/domain/hold/index.js';
import { inTheWay, lost } from '../../../../src/domain/hold/texts.js';
import { day, type Fate, HoldWorld, midnight, zone } from '../../../support/hold-world.js';

const hour = day / 24;
const minute = hour / 60;
const command = { commandId: 'c-1', by: 'lee' };
const many = (fate: Fate) => Array<Fate>(500).fill(fate);
const placed = (changes: ConstructorParameters<typeof HoldWorld>[0] = {}) =>
  new HoldWorld(changes).run(midnight + hour);
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

it('F08: a text names what is in the way: a reservation, another use or another hold, and how many more', () => {
  const one = { scheduleId: 5, start: 0, end: 1 };
  expect(inTheWay([])).toContain('Another schedule entry');
  expect(inTheWay([{ ...one, type: 'R', holdId: null }])).toMatch(/reserved.*schedule entry 5, type R/);
  expect(inTheWay([{ ...one, type: 'S', holdId: null }])).toMatch(/Another use.*schedule entry 5, type S/);
  expect(inTheWay([{ ...one, type: 'S', holdId: 'h-9' }])).toMatch(
    /Another hold.*schedule entry 5, hold h-9/,
  );
  const three = [1, 2, 3].map((scheduleId) => ({ ...one, scheduleId, type: 'S' as const, holdId: null }));
  expect(inTheWay(three)).toContain(', and 2 more');
  expect(inTheWay(three.slice(0, 1))).not.toContain('more');
});

it('F12: a text about a lost answer states why it cannot be read, where that is known', () => {
  expect(lost(undefined)).toContain('no answer');
  expect(lost('carNumber: expected string')).toMatch(/^carNumber: expected string\. /);
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
  world.state = releaseHold(world.state, { ...command, reason: null }, world.now);
  world.fates = [];
  expect(holdView(world.run(midnight + hour).state, world.now).commands).toMatchObject([
    { action: 'create', outcome: 'rejected', refused: { code: 'HOLD_OVER' } },
    { action: 'release', outcome: 'applied', refused: null },
  ]);
});

it('F12: a second release tries at once what is blocked, which stays shown since the first failure', () => {
  const world = placed();
  world.state = releaseHold(world.state, { ...command, reason: null }, world.now);
  world.fates = many('busy');
  world.run(world.now + hour);
  const { attention } = holdView(world.state, world.now);
  expect(attention.map(({ kind }) => kind)).toEqual(['entry', 'sale-not-restored']);
  world.state = releaseHold(world.state, { commandId: 'c-2', by: 'lee', reason: null }, world.now);
  expect(holdView(world.state, world.now).attention).toEqual(attention);
  expect(decideHold(world.state, world.now).step.do).toBe('look-in-products');
});

it('F13: a resolution leaves alone what was never withdrawn, and the audit counts it', () => {
  const world = new HoldWorld();
  world.unset.add(301);
  world.run(midnight + hour);
  world.state = resolveHold(world.state, { ...command, reason: 'by hand' }, world.now);
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
  world.state = resolveHold(world.state, { ...command, reason: 'by hand' }, world.now);
  expect(world.state.troubles).toEqual({ sale: young });
});

it('F12: products that can be read again at a later listing are shown no more', () => {
  const world = new HoldWorld();
  world.unlisted.push('productId: expected number (G03)');
  world.run(midnight + minute);
  expect(holdView(world.state, world.now).attention).toMatchObject([
    { kind: 'sale-not-withdrawn', code: 'UNREADABLE', message: expect.stringContaining('1'), left: [] },
  ]);
  world.unlisted.length = 0;
  world.state = changeHold(world.state, { ...command, end: midnight + 3 * day }, world.now);
  expect(world.run(world.now + minute).facts).toMatchObject({ state: 'active', attention: [] });
});

it.each([
  ['shows a change of the period', { end: midnight + 3 * day }, midnight + 3 * day, 'applied'],
  ['does not show a change of the reason alone', { reason: 'oil' }, midnight + 2 * day, 'out'],
])('F07: an entry whose reason cannot be read %s', (_, input, end, outcome) => {
  const world = placed({ withdrawFromSale: false });
  world.state = changeHold(world.state, { ...command, ...input }, world.now);
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
