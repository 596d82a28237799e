import { expect, it } from 'vitest';
import { continuesAll, type ReleaseCheck } from '../../src/tools/release/check/check.js';
import { release } from '../../src/tools/release/command.js';

const query = "WorkflowType = 'resrevation'";
const run = { workflowId: 'reservation-1', runId: 'r', type: 'reservation', reason: 'why' };
const found = (changes: Partial<ReleaseCheck> = {}): ReleaseCheck => ({
  types: [{ type: 'reservation', open: 3, replayed: 3 }],
  breaks: [],
  unread: [],
  ...changes,
});
const ofNone = [found({ types: [] }), found({ types: [{ type: 'reservation', open: 1, replayed: 0 }] })];

it('a query that no open run fits is no success: a pipeline with a misspelled one would replay nothing', () => {
  for (const none of ofNone) expect(() => continuesAll(none, query)).toThrow('no run was replayed');
  expect(continuesAll(found(), query)).toBe(true);
});

it('a namespace without open runs has none that would break', () => {
  for (const none of ofNone) expect(continuesAll(none, undefined)).toBe(true);
});

it('a run that breaks counts before those of which nothing is known', () => {
  expect(continuesAll(found({ breaks: [run], unread: [run] }), query)).toBe(false);
  expect(() => continuesAll(found({ unread: [run] }), query)).toThrow('1 runs could not be checked');
});

it.each([
  ['check', '--sample', '0'],
  ['move', '--per-second', '0'],
  ['check', '--sample', 'all'],
])('release %s %s %s is refused', async (...argv) => {
  await expect(release(argv, {})).rejects.toThrow(`${argv[1]} is ${argv[2]}; give a whole number from 1`);
});
