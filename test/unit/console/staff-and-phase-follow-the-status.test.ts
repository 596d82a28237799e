import { expect, it } from 'vitest';
import { staffActionAt } from '../../../console/screens/now/selection.js';
import { phaseAt } from '../../../src/domain/reservation/actions.js';
import { currentStaff } from '../../../src/domain/reservation/list-row.js';
import { statusCodes } from '../../../src/domain/reservation/statuses.js';
import { jobAt } from '../../support/jobs.js';

const none = { staffAction: null, phase: 'dispatch' };
const out = { staffAction: 'dispatch.staff', phase: 'dispatch' };
const back = { staffAction: 'recall.staff', phase: 'recall' };
const expected = new Map<number | null, typeof out | typeof none>([
  [null, none],
  [5, out],
  [10, out],
  [15, back],
  [20, back],
  [25, back],
  [30, back],
  [35, { ...back, staffAction: null }],
  [40, none],
  [45, none],
  [50, none],
]);

it('every status is expected', () => {
  expect([...expected.keys()]).toEqual([null, ...statusCodes]);
});

it.each([...expected])('at %s', (status, { staffAction, phase }) => {
  expect(staffActionAt(status)).toBe(staffAction);
  expect([phaseAt(status), jobAt(status).phase]).toEqual([phase, phase]);
  const names = { dispatchStaff: 'dispatch', recallStaff: 'recall' };
  expect(currentStaff({ status, private: names })).toBe(phase);
});

it('a job that is back is due since then, also once it is recalled', () => {
  expect(statusCodes.filter((code) => jobAt(code).dueAt === 'return')).toEqual([30, 35]);
});
