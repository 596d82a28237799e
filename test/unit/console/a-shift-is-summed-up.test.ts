import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../../../console/api/types.js';
import { toCsv } from '../../../console/screens/shift/csv.js';
import { deedsOf, isDone, itemsOf, outcomeOf } from '../../../console/screens/shift/items.js';

const entry = (minute: number, action: string, more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: `reservation/1/${minute}`,
  at: new Date(Date.UTC(2026, 10, 23, 12, minute)).toISOString(),
  by: null,
  action,
  subject: 'reservation/1',
  data: { kind: 'return-late' },
  carId: null,
  carNumber: null,
  ...more,
});
const open = (kind: string, owner?: string) => [
  {
    reservationId: 1,
    carId: 12,
    carNumber: '12가3456',
    attention: [kind],
    owners: owner === undefined ? {} : { [kind]: owner },
  },
];
const shown = (items: ReturnType<typeof itemsOf>) =>
  items.map(({ kind, raisedAt, endedAt, by, owner }) => [
    kind,
    raisedAt?.slice(14, 16) ?? null,
    endedAt?.slice(14, 16) ?? null,
    by ?? owner,
  ]);

describe('the items of a shift', () => {
  it('an item is raised, resolved by a person, raised again and open', () => {
    const entries = [
      entry(30, 'attention.raise'),
      entry(20, 'attention.resolve', { by: 'lee' }),
      entry(10, 'attention.raise'),
    ];
    expect(shown(itemsOf(entries.slice(1), []))).toEqual([['return-late', '10', '20', 'lee']]);
    expect(shown(itemsOf(entries, open('return-late', 'kim')))).toEqual([['return-late', '30', null, 'kim']]);
  });

  it('an open item that was raised before comes first, without the time', () => {
    const entries = [entry(20, 'attention.clear')];
    expect(shown(itemsOf(entries, open('conflict')))).toEqual([
      ['conflict', null, null, null],
      ['return-late', null, '20', null],
    ]);
  });

  it('L47: an item that is left open at the closing is neither open nor resolved; raised again it is open', () => {
    const left = [entry(20, 'attention.leave'), entry(10, 'attention.raise')];
    expect(itemsOf(left, []).map(({ is }) => is)).toEqual(['left']);
    expect(itemsOf([entry(30, 'attention.raise'), ...left], []).map(({ is }) => is)).toEqual(['open']);
  });

  it('items that ended come after those left open, the latest end first', () => {
    const of = (minute: number, action: string, kind: string) => entry(minute, action, { data: { kind } });
    const entries = [
      of(40, 'attention.clear', 'return-late'),
      of(30, 'attention.resolve', 'conflict'),
      of(20, 'attention.leave', 'odd-period'),
    ];
    expect(itemsOf(entries, []).map(({ kind }) => kind)).toEqual(['odd-period', 'return-late', 'conflict']);
  });

  it('an item that is raised again while it is open was raised at the first time', () => {
    const entries = [entry(30, 'attention.raise'), entry(10, 'attention.raise')];
    expect(shown(itemsOf(entries, []))).toEqual([['return-late', '10', null, null]]);
  });

  it('a command is done once it is applied; a write that needs no answer, and a resolution, at once', () => {
    const deed = (action: string, data: ActivityEntry['data'], id = 'reservation/1/1') =>
      entry(1, action, { id, data });
    const command = (outcome?: string) =>
      deed('dispatch.start', { commandId: 'c', ...(outcome !== undefined && { outcome }) });
    const all = [
      command(),
      command('waiting'),
      command('rejected'),
      command('applied'),
      deed('command.resolve', { commandId: 'c', outcome: 'rejected' }),
      deed('inbox.replay', { events: 1 }, 'audit/1'),
    ];
    expect(all.map(outcomeOf)).toEqual(['open', 'waiting', 'rejected', 'applied', 'rejected', null]);
    expect(all.map(isDone)).toEqual([false, false, false, true, true, true]);
  });

  it('what no person did is no deed', () => {
    expect(deedsOf([entry(1, 'attention.raise'), entry(2, 'hold.create', { by: 'kim' })])).toHaveLength(1);
  });
});

describe('the export', () => {
  it('quotes its cells, and no cell is a formula', () => {
    expect(toCsv([['a"b', '=1+1', '-2', 'x']])).toBe('\ufeff"a""b","\'=1+1","\'-2","x"\r\n');
  });
});
