import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { expect, it } from 'vitest';
import type { ViewInput } from '../../../src/contract/reservation.js';
import type { Command } from '../../../src/domain/reservation/index.js';
import { type KeyMark, markOf } from '../../../src/domain/shared/idempotency.js';
import type { Traces } from '../../../src/store/reservations/traces.js';
import {
  ReservationEndedError,
  ReservationNotReadyError,
} from '../../../src/temporal/client/reservations/errors.js';
import { temporalReservations } from '../../../src/temporal/client/reservations/reservations.js';
import { EngineUnavailableError } from '../../../src/temporal/connection/unavailable.js';
import { fullView } from '../../support/api.js';
import { policy } from '../../support/reservation-story.js';

type Status = 'RUNNING' | 'COMPLETED' | 'TERMINATED';
const none: Traces = { waiting: false, sent: false, dead: false, recorded: false };

/** Temporal, inbox and case file of one reservation as the status API sees them. */
class World {
  workflow: Status | undefined;
  traces: Traces = none;
  caseFile = false;
  settledMarks: KeyMark[] = [];
  /** The database refuses the marks of a closed reservation. */
  refusesMarks = false;
  /** No update is answered in time. */
  isSlow = false;
  /** Of the open workflow; undefined: an earlier version's. */
  commandMarks: KeyMark[] | undefined;
  readonly asked: string[] = [];
  started = 0;
  wakeUps = 0;
  /** What the relay does when it is woken. */
  relay = () => {};
  /** Called after a call that found no open workflow. */
  afterMiss = () => {};

  constructor(
    readonly id: number,
    private readonly relayMs = 60,
  ) {}

  get reservations() {
    return temporalReservations(this.client(), {
      policy,
      cases: {
        view: async () => {
          this.asked.push('case file');
          return this.caseFile ? fullView(this.id, { closed: true }) : undefined;
        },
        decisionMarks: async () => {
          if (this.refusesMarks) throw new Error('connection refused');
          return this.settledMarks;
        },
      },
      inbox: {
        read: async () => {
          this.asked.push('inbox');
          return this.traces;
        },
      },
      wakeRelay: () => {
        this.wakeUps += 1;
        this.relay();
      },
      within: { view: 1_000, update: 1_000, readAgain: 1_000, relay: this.relayMs },
    });
  }

  /** As a relay that sends the registration after `ms`. */
  relayAfter(ms: number): void {
    this.traces = { ...none, waiting: true };
    this.relay = () => {
      this.relay = () => {};
      setTimeout(() => {
        this.workflow = 'RUNNING';
        this.traces = { ...none, sent: true };
      }, ms);
    };
  }

  act = () => this.reservations.performAction(this.id, command);
  view = () => this.reservations.view(this.id);
  resolve = () => {
    return this.reservations.applyDecision(this.id, 'resolveAttention', settlement, 'settle-1');
  };
  assert = () => {
    const facts = { status: 5, reason: 'looked it up', by: 'lee' };
    return this.reservations.applyDecision(this.id, 'assertFacts', facts, 'assert-1');
  };

  private client(): Client {
    const open = <T>(value: T): T => {
      if (this.workflow === 'RUNNING') return value;
      this.afterMiss();
      throw new WorkflowNotFoundError('none is open', `reservation-${this.id}`, undefined);
    };
    const view = fullView(this.id);
    const handle = {
      query: async (_: string, input?: ViewInput) => {
        if (this.workflow === undefined) return open(view);
        return input?.withMarks && this.commandMarks ? { ...view, commandMarks: this.commandMarks } : view;
      },
      describe: async () => {
        if (this.workflow === undefined) return open(undefined);
        return { status: { name: this.workflow } };
      },
      executeUpdate: async (name: string) => {
        if (this.isSlow) throw new EngineUnavailableError('DEADLINE_EXCEEDED');
        const answered = { command: { commandId: command.commandId, outcome: 'applied' }, reservation: view };
        return open(name === command.action ? answered : view);
      },
    };
    return {
      withDeadline: (_: number, call: () => Promise<unknown>) => call(),
      workflow: {
        getHandle: () => handle,
        executeUpdateWithStart: async () => {
          this.started += 1;
          return view;
        },
      },
    } as unknown as Client;
  }
}

const settlement = { kind: 'conflict' as const, reason: 'looked it up', by: 'lee' };
const command: Command = { commandId: 'sent', action: 'dispatch.start', body: {}, by: 'kim' };
const kinds = ['view', 'act', 'resolve', 'assert'] as const;
type Answered = { kind?: string; reservationId?: number } | undefined;

it('20 reservations at a time, right after their registrations and before a slow relay: every request is answered', async () => {
  const worlds = Array.from({ length: 20 }, (_, index) => new World(index + 1, 5_000));
  for (const [index, world] of worlds.entries()) world.relayAfter(10 * index);
  const answers = await Promise.all(
    worlds.flatMap((world) =>
      kinds.map(async (kind): Promise<Answered> => world[kind]() as Promise<Answered>),
    ),
  );
  const expected = ['seen', 'answered', 'settled', 'settled'];
  expect(answers.map((one) => one?.kind ?? (one?.reservationId === undefined ? one : 'seen'))).toEqual(
    worlds.flatMap(() => expected),
  );
  expect(worlds.every(({ wakeUps, started }) => wakeUps > 0 && started === 0)).toBe(true);
});

it('of the reservation of an action only its status and command ids stay in memory', async () => {
  const world = new World(1);
  world.workflow = 'RUNNING';
  const { reservations } = world;
  expect(reservations.recentView(1)).toBeUndefined();
  await reservations.performAction(1, command);
  const { status, commands } = fullView(1);
  expect(commands.length).toBeGreaterThan(0);
  expect(reservations.recentView(1)).toEqual({
    status: { code: status.code },
    commands: commands.map(({ commandId }) => ({ commandId })),
  });
});

it.each(kinds)(
  '%s: a registration that its workflow has, and that is not marked as sent yet, delays no request',
  async (kind) => {
    const world = new World(1, 5_000);
    world.traces = { ...none, waiting: true };
    world.relay = () => {
      world.workflow = 'RUNNING';
    };
    const settled = { kind: 'settled' };
    const view = { reservationId: 1 };
    const expected = { view, act: { kind: 'answered' }, resolve: settled, assert: settled };
    expect(await world[kind]()).toMatchObject(expected[kind]);
    // after one pause Temporal is queried again, and knows it
    expect(world.asked).toEqual(['case file', 'inbox', 'case file']);
    expect(world).toMatchObject({ wakeUps: 1, started: 0 });
  },
);

it('a reservation that begins between the search for an open run and the read of its case file is not closed', async () => {
  const world = new World(1);
  world.afterMiss = () => {
    world.workflow = 'RUNNING';
    world.traces = { ...none, recorded: true };
  };
  expect(await world.act()).toMatchObject({ kind: 'answered' });
});

it.each(kinds)(
  '%s: a reservation whose events do not reach it in time is not ready, and nothing is started',
  async (kind) => {
    const world = new World(1);
    world.traces = { ...none, waiting: true };
    await expect(world[kind]()).rejects.toEqual(new ReservationNotReadyError('waiting'));
    expect(world).toMatchObject({ started: 0 });
    expect(world.wakeUps).toBeGreaterThan(0);
  },
);

it.each(kinds)('%s: a reservation whose callbacks are dead letters is known', async (kind) => {
  const world = new World(1);
  world.traces = { ...none, dead: true };
  await expect(world[kind]()).rejects.toEqual(new ReservationNotReadyError('dead-letter'));
});

it('a reservation is unknown only where it is unknown everywhere; an assertion starts it', async () => {
  const world = new World(1);
  expect(await world.view()).toBeUndefined();
  expect(await world.act()).toEqual({ kind: 'no-reservation' });
  expect(await world.resolve()).toEqual({ kind: 'no-reservation' });
  expect(world).toMatchObject({ wakeUps: 0, started: 0 });
  expect(await world.assert()).toMatchObject({ kind: 'settled' });
  expect(world.started).toBe(1);
});

it('a reservation is closed only with a case file, or where its workflow completed', async () => {
  const closed = new World(1);
  closed.caseFile = true;
  const completed = new World(2);
  completed.workflow = 'COMPLETED';
  for (const world of [closed, completed]) {
    expect(await world.act()).toMatchObject({ kind: 'refused', refusal: { code: 'RESERVATION_TERMINAL' } });
    expect(await world.assert()).toMatchObject({
      kind: 'refused',
      refusal: { code: 'RESERVATION_TERMINAL' },
    });
  }
});

it('L21: a closed reservation answers a repeated resolution, and refuses its key with another body', async () => {
  const world = new World(1);
  world.caseFile = true;
  const { kind, reason } = settlement;
  world.settledMarks = [{ key: 'settle-1', mark: markOf('resolveAttention', { reason, kind }) }];
  expect(await world.resolve()).toMatchObject({ kind: 'settled', reservation: { closed: true } });
  world.settledMarks = [{ key: 'settle-1', mark: markOf('resolveAttention', { reason: 'x', kind }) }];
  expect(await world.resolve()).toMatchObject({ kind: 'refused', refusal: { code: 'COMMAND_ID_REUSED' } });
  world.settledMarks = [{ key: 'another', mark: 'x' }];
  expect(await world.resolve()).toMatchObject({ kind: 'refused', refusal: { code: 'RESERVATION_TERMINAL' } });
});

it('L21: a closed reservation answers a repeated command, and refuses its key with another body', async () => {
  const world = new World(1);
  world.caseFile = true;
  const [known] = fullView(1).commands;
  const { commandId, action } = known as { commandId: string; action: Command['action'] };
  const sendAction = (body: Command['body']) =>
    world.reservations.performAction(1, { commandId, action, body, by: 'another person' });
  world.settledMarks = [{ key: `command.${commandId}`, mark: markOf(action, { note: 'a dent' }) }];
  expect(await sendAction({ note: 'a dent' })).toMatchObject({ kind: 'answered', command: { commandId } });
  expect(await sendAction({ note: 'none' })).toMatchObject({ refusal: { code: 'COMMAND_ID_REUSED' } });
  const other = await world.reservations.performAction(1, {
    ...command,
    commandId,
    action: 'recall.complete',
  });
  expect(other).toMatchObject({ refusal: { code: 'COMMAND_ID_REUSED' } });
  // a case file of 0.3.0 has settlements alone
  world.settledMarks = [{ key: commandId, mark: 'a settlement of the same key' }];
  expect(await sendAction({ note: 'none' })).toMatchObject({ kind: 'answered', command: { commandId } });
});

it('a command that a closed reservation does not know is refused without its marks', async () => {
  const world = new World(1);
  world.caseFile = true;
  world.refusesMarks = true;
  expect(await world.act()).toMatchObject({ kind: 'refused', refusal: { code: 'RESERVATION_TERMINAL' } });
});

it('L21: while Temporal is slow, a repeated command gets its answer, and its key with another body or action is refused', async () => {
  const world = new World(1);
  world.workflow = 'RUNNING';
  world.isSlow = true;
  const [known] = fullView(1).commands;
  const { commandId, action } = known as { commandId: string; action: Command['action'] };
  const sendAction = (body: Command['body'], another: Partial<Command> = {}) =>
    world.reservations.performAction(1, { commandId, action, body, by: 'another person', ...another });
  const reused = { kind: 'refused', refusal: { code: 'COMMAND_ID_REUSED' } };
  world.commandMarks = [{ key: `command.${commandId}`, mark: markOf(action, { note: 'a dent' }) }];
  const repeated = await sendAction({ note: 'a dent' });
  expect(repeated).toMatchObject({ kind: 'answered', command: { commandId } });
  expect(repeated).toHaveProperty('reservation', fullView(1));
  expect(await sendAction({ note: 'none' })).toMatchObject(reused);
  expect(await sendAction({ note: 'a dent' }, { action: 'recall.complete' })).toMatchObject(reused);
  await expect(sendAction({}, { commandId: 'another' })).rejects.toThrow(EngineUnavailableError);
  // a worker of an earlier version gives no marks: the action alone is compared
  world.commandMarks = undefined;
  expect(await sendAction({ note: 'none' })).toMatchObject({ kind: 'answered' });
  expect(await sendAction({ note: 'none' }, { action: 'recall.complete' })).toMatchObject(reused);
});

it('a reservation whose workflow was ended is neither closed nor unknown', async () => {
  const terminated = new World(1);
  terminated.workflow = 'TERMINATED';
  await expect(terminated.act()).rejects.toEqual(new ReservationEndedError('WORKFLOW_TERMINATED'));
  const forgotten = new World(2);
  forgotten.traces = { ...none, recorded: true };
  await expect(forgotten.act()).rejects.toEqual(new ReservationEndedError('WORKFLOW_UNKNOWN'));
});

it('a read of an open reservation needs no statement', async () => {
  const world = new World(1);
  world.workflow = 'RUNNING';
  for (const kind of kinds) await world[kind]();
  expect(world.asked).toEqual([]);
});
