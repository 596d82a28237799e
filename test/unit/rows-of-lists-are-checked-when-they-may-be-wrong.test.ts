import { expect, it } from 'vitest';
import { hour } from '../../src/domain/shared/time.js';
import { planRound } from '../../src/store/reservations/row-check-plan.js';

const now = 1_800_000_000_000;
const here = { version: 2, database: 'one/1', now };
const ended = { version: 2, database: 'one/1', endedAt: now - hour };

it.each([
  ['a first start', undefined, 'urgent'],
  ['a round of an earlier release, which wrote less', { ...ended, version: 1 }, 'urgent'],
  ['the same while it is under way', { ...ended, version: 1, endedAt: null }, 'urgent'],
  ['a round of a later release', { ...ended, version: 3 }, 'none'],
  ['a database that was restored', { ...ended, database: 'two/1' }, 'urgent'],
  ['a server that took over', { ...ended, database: 'one/2', endedAt: null }, 'urgent'],
  ['a database that was not known then', { ...ended, database: null }, 'none'],
  ['a round under way', { ...ended, endedAt: null }, 'continue'],
  ['a round that ended an hour ago', ended, 'none'],
  ['a round that ended a day ago', { ...ended, endedAt: now - 24 * hour }, 'usual'],
  ['a clock that was set back by a year', { ...ended, endedAt: now + 365 * 24 * hour }, 'usual'],
])('%s', (_, stored, plan) => {
  expect(planRound(stored, here)).toBe(plan);
});

it('a database that does not report its identity is no reason for a round', () => {
  expect(planRound(ended, { ...here, database: null })).toBe('none');
});
