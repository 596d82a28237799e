import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';
import { expect, it } from 'vitest';
import { type HoldView, holdFacts, holdView, newHold, releaseHold } from '../../src/domain/hold/index.js';
import { temporalHolds } from '../../src/temporal/client/holds/holds.js';

const hour = 3_600_000;
const zoneOffsetMinutes = 540;

/** Temporal with one hold at most, which counts what it is asked for, and the rows of holds. */
class World {
  readonly requests: string[] = [];
  view: HoldView | undefined;
  row: HoldView | undefined;
  overlapping = false;
  isDatabaseAway = false;

  readonly wish = (mark: string) => ({
    holdId: 'h-1',
    carId: 1001,
    reason: 'maintenance',
    withdrawFromSale: false,
    reservationId: null,
    period: { start: Date.now() + hour, end: Date.now() + 2 * hour },
    by: 'kim',
    mark,
  });

  holds() {
    const { requests } = this;
    const asked = <T>(name: string, answer: () => T) => {
      requests.push(name);
      return answer();
    };
    const known = () => {
      if (this.view === undefined) throw new WorkflowNotFoundError('unknown', 'hold-h-1', undefined);
      return this.view;
    };
    const handle = {
      query: async () => asked('query', known),
      describe: async () => asked('describe', () => known() && { runId: 'r', status: { name: 'RUNNING' } }),
      executeUpdate: async () => asked('update', known),
    };
    const start = async (_type: string, { args: [{ request }] }: { args: [{ request: never }] }) =>
      asked('start', () => {
        if (this.view !== undefined) throw new WorkflowExecutionAlreadyStartedError('', 'hold-h-1', 'hold');
        this.view = holdView(newHold(request, zoneOffsetMinutes, Date.now()), Date.now());
      });
    const client = {
      workflow: { start, getHandle: () => handle },
      withDeadline: <T>(_until: number, call: () => T) => call(),
    };
    const row = () => this.row && { view: this.row, writtenAt: Date.now() };
    const rows = <T>(answer: () => T) =>
      this.isDatabaseAway ? Promise.reject(new Error('away')) : Promise.resolve(answer());
    const other = () =>
      this.overlapping
        ? holdFacts(newHold(this.wish('other') as never, zoneOffsetMinutes, Date.now()), Date.now())
        : undefined;
    const store = { read: () => rows(row), findOverlapping: () => rows(other) };
    const options = { store, close: async () => true, zoneOffsetMinutes, historyEventsPerRun: 1_000 };
    return temporalHolds(client as never, options as never);
  }
}

it('F06: a new hold takes two requests to Temporal: its start and the wait for it', async () => {
  const world = new World();
  const made = await world.holds().make(world.wish('mark'));
  expect(made).toMatchObject({ kind: 'made', hold: { holdId: 'h-1', state: 'placing' } });
  expect(world.requests).toEqual(['start', 'update']);
});

it('F15: a repeated request finds its hold, before and after its row is written; another body is refused', async () => {
  const world = new World();
  const holds = world.holds();
  const wish = world.wish('mark');
  await holds.make(wish);
  expect(await holds.make(wish)).toMatchObject({ kind: 'made', hold: { holdId: 'h-1' } });
  world.row = world.view;
  const past = { ...wish, period: { start: 0, end: 1 } };
  expect(await holds.make(past)).toMatchObject({ kind: 'made', hold: { holdId: 'h-1' } });
  expect(await holds.make({ ...wish, mark: 'other' })).toMatchObject({
    refusal: { code: 'COMMAND_ID_REUSED' },
  });
  expect(world.requests.filter((name) => name === 'start')).toHaveLength(2);
});

it('F15: a repeated request finds its hold while the database is unavailable', async () => {
  const world = new World();
  const holds = world.holds();
  await holds.make(world.wish('mark'));
  world.isDatabaseAway = true;
  expect(await holds.make(world.wish('mark'))).toMatchObject({ kind: 'made' });
});

it('F15: a hold whose workflow Temporal deleted is read from its row, and not started again', async () => {
  const world = new World();
  const holds = world.holds();
  await holds.make(world.wish('mark'));
  world.row = { ...(world.view as HoldView), state: 'released', open: false };
  world.view = undefined;
  world.requests.length = 0;
  expect(await holds.make(world.wish('mark'))).toMatchObject({ kind: 'made', hold: { state: 'released' } });
  expect(world.requests).not.toContain('start');
});

it('F01, F15: an impossible hold is not started', async () => {
  const world = new World();
  const holds = world.holds();
  const past = { ...world.wish('mark'), period: { start: 0, end: 1 } };
  expect(await holds.make(past)).toMatchObject({ refusal: { code: 'HOLD_IN_PAST' } });
  world.overlapping = true;
  expect(await holds.make(world.wish('mark'))).toMatchObject({ kind: 'overlaps' });
  world.isDatabaseAway = true;
  await expect(holds.make(world.wish('mark'))).rejects.toThrow('away');
  expect(world.requests).not.toContain('start');
});

it('L21: an ended hold answers a repeated command, and refuses its key with another body', async () => {
  const world = new World();
  const release = (reason: string) =>
    world.holds().sendCommand('h-1', { name: 'release', input: { commandId: 'r-1', by: 'lee', reason } });
  const made = newHold(world.wish('mark') as never, zoneOffsetMinutes, Date.now());
  const input = { commandId: 'r-1', by: 'kim', reason: 'ready' };
  const over = { ...releaseHold(made, input, Date.now()), end: 'released', endedAt: Date.now() } as const;
  world.row = holdView(over, Date.now());
  expect(await release('ready')).toMatchObject({ kind: 'answered', command: { commandId: 'r-1' } });
  expect(await release('scrapped')).toMatchObject({ refusal: { code: 'COMMAND_ID_REUSED' } });
  const change = { commandId: 'r-1', by: 'kim', reason: 'ready' };
  expect(await world.holds().sendCommand('h-1', { name: 'change', input: change })).toMatchObject({
    refusal: { code: 'COMMAND_ID_REUSED' },
  });
  expect(JSON.stringify(await world.holds().view('h-1'))).not.toContain('mark');
  // 0.3.0 wrote commands without a mark: the action alone is compared
  const commands = world.row.commands.map(({ mark: _, ...command }) => command);
  world.row = { ...world.row, commands };
  expect(await release('scrapped')).toMatchObject({ kind: 'answered', command: { commandId: 'r-1' } });
});
