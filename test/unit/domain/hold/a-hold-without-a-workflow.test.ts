import { expect, it } from 'vitest';
import {
  closeWithoutWorkflow,
  factsOfView,
  type HoldView,
  holdFacts,
  isWithoutWorkflow,
  standingAmong,
  withoutWorkflow,
} from '../../../../src/domain/hold/index.js';
import { day, HoldWorld, hour, midnight, placed, zone } from '../../../support/hold-world.js';
import { read } from '../../../support/sentences.js';

const since = midnight + hour;
const memoTrouble = { kind: 'memo' as const, since: '', code: 'REFUSED', message: '', left: [] };
const ended = (known: HoldView) => withoutWorkflow(known, since, zone);

it('F16: an open hold without a workflow names everything that is still in place', () => {
  const known = placed().view;
  const hold = ended(known);
  expect(hold).toEqual({ ...known, state: 'attention', attention: hold.attention });
  expect(read(hold.attention)).toEqual([
    {
      kind: 'workflow-gone',
      since: '2026-11-21T10:00:00.000+09:00',
      code: 'HOLD_WORKFLOW_GONE',
      message: expect.stringContaining('h-1'),
      left: ['schedule/501', 'memo/1', 'product/301', 'product/303'],
    },
  ]);
});

it('F16: nothing is in place where nothing was placed, or where it was removed', () => {
  expect(ended(new HoldWorld().view).attention[0]?.left).toEqual([]);
  const known = placed().view;
  const gone = { ...known, schedule: { ...known.schedule, state: 'gone' as const }, memoId: null, sale: [] };
  expect(ended(gone).attention[0]?.left).toEqual([]);
});

it('F16: a hold counts as without a workflow while it is open and marked so, whatever else it needs', () => {
  const known = placed().view;
  const hold = ended(known);
  const [item] = hold.attention;
  expect(isWithoutWorkflow(known)).toBe(false);
  expect(isWithoutWorkflow(hold)).toBe(true);
  expect(isWithoutWorkflow({ ...hold, open: false })).toBe(false);
  expect(isWithoutWorkflow({ open: true, attention: [memoTrouble] })).toBe(false);
  expect(item && isWithoutWorkflow({ open: true, attention: [memoTrouble, item] })).toBe(true);
});

it('F13, F16: a manager closes it: commands that were out are rejected, and only what is in place stays shown', () => {
  const one = { by: 'kim', at: '2026-11-21T09:30:00.000+09:00', refused: null } as const;
  const out = { ...one, commandId: 'c-1', action: 'change', outcome: 'out' } as const;
  const done = { ...one, commandId: 'c-2', action: 'change', outcome: 'applied' } as const;
  const hold = ended({ ...placed().view, attention: [memoTrouble], commands: [out, done] });
  const resolved = closeWithoutWorkflow(
    hold,
    { commandId: 'c-3', by: 'lee', reason: 'it is over' },
    since,
    zone,
  );
  const at = '2026-11-21T10:00:00.000+09:00';
  expect(resolved.command).toEqual({
    commandId: 'c-3',
    action: 'resolve',
    by: 'lee',
    at,
    outcome: 'applied',
    refused: null,
    mark: expect.any(String),
  });
  expect(resolved.hold).toMatchObject({ state: 'resolved', open: false, endedAt: at });
  expect(read(resolved.hold.attention)).toEqual([
    { ...hold.attention[0], message: expect.stringContaining('[hold h-1]') },
  ]);
  expect(read(resolved.hold.commands)).toEqual([
    { ...out, outcome: 'rejected', refused: { code: 'HOLD_WORKFLOW_GONE', message: expect.any(String) } },
    done,
    resolved.command,
  ]);
  // L21: the same key with another reason is another request
  const repeat = (reason: string) =>
    standingAmong(resolved.hold.commands, 'resolve', { commandId: 'c-3', by: 'lee', reason });
  expect([repeat('it is over'), repeat('another one')]).toEqual(['same', 'other']);
});

it('F16: lists show the same facts of a view as of the hold itself', () => {
  const open = placed();
  const over = placed();
  over.release();
  over.run(midnight + day);
  const stuck = new HoldWorld();
  stuck.refusal = 'E500';
  stuck.fates = Array(40).fill('refused');
  stuck.run(midnight + 60_000);
  for (const world of [open, over, stuck])
    expect(factsOfView(world.view)).toEqual(holdFacts(world.state, world.now));
  expect(over.facts.endedAt).not.toBeNull();
});
